import { CommandError } from "../../command-error.js";
import { findSession } from "../../sessions/find-session.js";
import { checkNewId } from "../../sessions/new-id.js";
import { withSessions } from "../../sessions/open-sessions.js";
import { sessionLine } from "../../sessions/session-line.js";
import type { Terminal } from "../../terminal.js";

export interface ForkFlags {
  readonly entry?: string;
  readonly before?: true;
  readonly tree?: true;
  readonly id?: string;
  readonly name?: string;
}

/** Copies a session, of any project, into this one: its branch up to an entry, or all branches. Prints the copy's id. */
export async function forkCommand(terminal: Terminal, id: string, flags: ForkFlags): Promise<number> {
  checkNewId("--id", flags.id);
  if (flags.name?.trim() === "")
    throw new CommandError("usage", "--name: it is blank; give a name, or leave it out", {
      argument: "--name",
    });
  return withSessions(terminal, async (sessions) => {
    const { repository, cwd } = sessions;
    const source = await findSession(sessions, id);
    const fork = await repository.fork(source.id, {
      cwd,
      ...(flags.entry === undefined ? {} : { entry: flags.entry }),
      ...(flags.before ? { position: "before" } : {}),
      ...(flags.tree ? { scope: "tree" } : {}),
      ...(flags.id === undefined ? {} : { id: flags.id }),
    });
    if (flags.name !== undefined) await repository.rename(fork.id, flags.name);
    terminal.out.write(`${fork.id}\n`);
    const line = sessionLine(await repository.find(fork.id), { showProject: false });
    terminal.err.write(`ashlar: ${line}\n`);
    return 0;
  });
}
