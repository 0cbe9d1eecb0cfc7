import { pathToFileURL } from "node:url";
import type { ToolEnv } from "@ashlar/context/tool";
import type { DescribedModule } from "./isolation/tool-isolation.js";
import type { ToolSource } from "./tool-entry.js";
import { sourceOfModule } from "./tool-module.js";

/** Imports a tool module into this process. Rejects with what it throws. */
export async function loadToolModule(file: string, env: ToolEnv): Promise<ToolSource> {
  const exports: object = await import(/* @vite-ignore */ pathToFileURL(file).href);
  return sourceOfModule(exports, { file, owner: file }, env);
}

/** Imports a tool module into this process, which a sandbox made for it, and says what it describes. Never rejects. */
export async function describeModule(file: string, env: ToolEnv): Promise<DescribedModule> {
  try {
    const { entries, settings, problems } = await loadToolModule(file, env);
    return { file, settings, problems, tools: entries.map((entry) => entry.info) };
  } catch (cause) {
    return { file, settings: {}, problems: [], tools: [], failure: failureText(cause) };
  }
}

/** What a tool threw, in words. */
export function failureText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const denied = "code" in cause && cause.code === "ERR_ACCESS_DENIED";
  return denied
    ? `${cause.message}: tools of packages can write no file and start no process`
    : cause.message;
}
