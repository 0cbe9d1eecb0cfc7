import { isAshlarError } from "@ashlar/context";
import type { Terminal } from "./terminal.js";

/** Says on stderr what failed, in one line a person can act on, and gives the exit code of its kind. */
export async function reportFailure(error: unknown, terminal: Terminal): Promise<number> {
  const { exitCodeOfKind } = await import("@ashlar/agent");
  if (isAshlarError(error)) {
    terminal.err.write(`ashlar: ${error.message}\n`);
    return exitCodeOfKind(error.kind);
  }
  // A failure of ours: the stack is what a bug report needs.
  terminal.err.write(`ashlar: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  return exitCodeOfKind("internal");
}
