import { relative } from "node:path";
import { UndoJournal } from "@ashlar/agent";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

export interface UndoFlags {
  readonly list?: true;
}

/** Puts back the files that one call of a tool changed: the one named, or the last that can be undone. */
export async function undoCommand(
  terminal: Terminal,
  id: string | undefined,
  flags: UndoFlags,
): Promise<number> {
  return withEnv(terminal, {}, async ({ cwd, folders }) => {
    const journal = new UndoJournal({ project: cwd, state: folders.state });
    const shown = (path: string): string => relative(cwd, path) || ".";
    if (flags.list) {
      for (const { callId, tool, at, path, lost } of await journal.list()) {
        const what = path === null ? "changes of its own" : shown(path);
        terminal.out.write(
          `${new Date(at).toISOString()}  ${callId}  ${tool}  ${what}${lost === undefined ? "" : `  (${lost})`}\n`,
        );
      }
      return 0;
    }
    const { tool, callId, restored, removed, notes } = await journal.undo(id);
    for (const path of restored) terminal.out.write(`restored ${shown(path)}\n`);
    for (const path of removed) terminal.out.write(`removed ${shown(path)}, which was not there before\n`);
    terminal.out.write(`undid ${tool} (${callId})\n`);
    for (const note of notes) terminal.err.write(`ashlar: ${note}\n`);
    return 0;
  });
}
