import { isSessionError, SessionError } from "@ashlar/context";
import { CommandError } from "../../command-error.js";
import { LATEST } from "../../sessions/find-session.js";
import { withSessions } from "../../sessions/open-sessions.js";
import { sessionLine } from "../../sessions/session-line.js";
import type { Terminal } from "../../terminal.js";

/** Deletes sessions and says which; asks nothing, so it takes no `latest`. The first that cannot be deleted ends it. */
export async function deleteCommand(terminal: Terminal, ids: readonly string[]): Promise<number> {
  if (ids.includes(LATEST)) {
    throw new CommandError(
      "usage",
      "delete: name the session by its id; `latest` may be another one than you think",
      {
        argument: LATEST,
      },
    );
  }
  return withSessions(terminal, async ({ repository }) => {
    for (const id of ids) {
      const info = await repository.find(id).catch(undefinedIfDamaged);
      if (!(await repository.delete(info?.id ?? id)))
        throw new SessionError("missing", `there is no session ${JSON.stringify(id)}`, { id });
      const what = info === undefined ? id : sessionLine(info, { showProject: true });
      terminal.out.write(`deleted ${what}\n`);
    }
    return 0;
  });
}

/** What cannot be read can still be deleted, by its whole id. */
function undefinedIfDamaged(error: unknown): undefined {
  if (isSessionError(error) && error.kind === "damaged") return undefined;
  throw error;
}
