import type { Execution } from "@ashlar/context/tool";
import { nodeFiles } from "./node-files.js";
import { nodeShell } from "./node-shell.js";

/** This machine, through Node. */
export function nodeExecution(): Execution {
  return { files: nodeFiles, shell: nodeShell };
}
