import { isAshlarError } from "@ashlar/context";
import { exitCodeOfKind, INTERNAL_EXIT_CODE } from "./exit-code.js";
import type { Terminal } from "./terminal.js";
import { visibleText } from "./terminal-text.js";

/** Says on stderr what failed, in one line a person can act on, and gives the exit code of its kind. */
export function reportFailure(error: unknown, terminal: Terminal): number {
  if (isAshlarError(error)) {
    terminal.err.write(`ashlar: ${visibleText(error.message)}\n`);
    return exitCodeOfKind(error.kind);
  }
  // A failure of ours: the stack is what a bug report needs.
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err.write(`ashlar: internal error: ${visibleText(story)}\n`);
  return INTERNAL_EXIT_CODE;
}
