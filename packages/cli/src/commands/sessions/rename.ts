import { CommandError } from "../../command-error.js";
import { findSession } from "../../sessions/find-session.js";
import { withSessions } from "../../sessions/open-sessions.js";
import type { Terminal } from "../../terminal.js";
import { visibleLine } from "../../terminal-text.js";

/** Names a session; with `--none` it has no name any more. */
export async function renameCommand(
  terminal: Terminal,
  { id, words, none }: { readonly id: string; readonly words: readonly string[]; readonly none: boolean },
): Promise<number> {
  const name = words.join(" ").trim();
  if ((name === "") !== none) {
    throw new CommandError("usage", "rename: give the new name, or --none to take the name away", {
      argument: "name",
    });
  }
  return withSessions(terminal, async (sessions) => {
    const info = await findSession(sessions, id);
    await sessions.repository.rename(info.id, none ? null : name);
    terminal.out.write(none ? `${info.id} has no name now\n` : `${info.id} is now ${visibleLine(name)}\n`);
    return 0;
  });
}
