import type { SessionDamage, SessionRepository } from "@ashlar/context";
import type { JsonlRepository } from "@ashlar/session-jsonl";
import type { SqliteRepository } from "@ashlar/session-sqlite";
import { CommandError } from "../../command-error.js";
import { findSession, LATEST } from "../../sessions/find-session.js";
import { type Sessions, withSessions } from "../../sessions/open-sessions.js";
import type { Terminal } from "../../terminal.js";
import { visibleLine } from "../../terminal-text.js";

/** Writes a session anew from what can be read of it, in SQLite the whole database; the original is kept beside it. */
export async function repairCommand(terminal: Terminal, id: string | undefined): Promise<number> {
  return withSessions(terminal, async (sessions) => {
    const { repository } = sessions;
    if (isDatabase(repository)) {
      if (id !== undefined)
        refuseArgument("the sessions are in one database, which is repaired whole; name none");
      const { sessions: count, entries, damage, backup } = await repository.repair();
      say(terminal, { what: `${count} sessions, ${entries} entries`, damage, backup });
      return 0;
    }
    if (!isFolder(repository)) refuseArgument("this store cannot be repaired from here");
    if (id === undefined) refuseArgument("name the session; `ashlar sessions list` shows them");
    const { entries, damage, backup } = await repository.repair(await idOf(sessions, id));
    say(terminal, { what: `${entries} entries`, damage, backup });
    return 0;
  });
}

interface Repaired {
  readonly what: string;
  readonly damage: readonly SessionDamage[];
  readonly backup: string;
}

function say(terminal: Terminal, { what, damage, backup }: Repaired): void {
  for (const { message } of damage) terminal.out.write(`${visibleLine(message)}\n`);
  const found = damage.length === 0 ? "nothing was wrong" : `${damage.length} places were wrong`;
  terminal.out.write(`${found}; written anew: ${what}\nthe original is kept as ${visibleLine(backup)}\n`);
}

/** What is too damaged to be found by more than its id is what a repair is for. */
async function idOf(sessions: Sessions, id: string): Promise<string> {
  return id === LATEST ? (await findSession(sessions, id)).id : id;
}

function isDatabase(repository: SessionRepository): repository is SqliteRepository {
  return "repair" in repository && "updateIndex" in repository;
}

function isFolder(repository: SessionRepository): repository is JsonlRepository {
  return "repair" in repository && !isDatabase(repository);
}

function refuseArgument(problem: string): never {
  throw new CommandError("usage", `repair: ${problem}`, { argument: "id" });
}
