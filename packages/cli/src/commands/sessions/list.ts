import { listOwn } from "../../sessions/find-session.js";
import { countOf } from "../../sessions/flag-count.js";
import { withSessions } from "../../sessions/open-sessions.js";
import { sayCount } from "../../sessions/session-count.js";
import { sessionLine } from "../../sessions/session-line.js";
import type { Terminal } from "../../terminal.js";
import { clipped, visibleJson } from "../../terminal-text.js";

export interface ListFlags {
  readonly all?: true;
  /** Also the sessions of agents that another one started. */
  readonly children?: true;
  readonly limit?: string;
  readonly json?: true;
}

const DEFAULT_LIMIT = 50;

/** Lists the sessions of this project, or of all projects, newest first. */
export async function listCommand(terminal: Terminal, flags: ListFlags): Promise<number> {
  const limit = countOf("--limit", flags.limit) ?? DEFAULT_LIMIT;
  return withSessions(terminal, async ({ repository, cwd }) => {
    const all = flags.all === true;
    const which = { limit, ...(all ? {} : { cwd }) };
    const infos = flags.children ? await repository.list(which) : await listOwn(repository, which);
    for (const info of infos) {
      const line = flags.json
        ? visibleJson(info)
        : clipped(sessionLine(info, { showProject: all }), terminal.outColumns);
      terminal.out.write(`${line}\n`);
    }
    sayCount(terminal, infos.length, { limit, all });
    return 0;
  });
}
