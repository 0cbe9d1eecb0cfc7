import { outlineText } from "../../sessions/branch-line.js";
import { familiesOf, flattened } from "../../sessions/family.js";
import { countOf } from "../../sessions/flag-count.js";
import { loadSession } from "../../sessions/load-session.js";
import { withSessions } from "../../sessions/open-sessions.js";
import { outlineOf } from "../../sessions/outline.js";
import { sessionLine } from "../../sessions/session-line.js";
import type { Terminal } from "../../terminal.js";
import { clipped } from "../../terminal-text.js";

export interface TreeFlags {
  readonly all?: true;
  readonly limit?: string;
}

const DEFAULT_LIMIT = 200;
const INDENT = "  ";

/** Prints the sessions under those they came from; of one session its branches, with lanes and labels. */
export async function treeCommand(
  terminal: Terminal,
  id: string | undefined,
  flags: TreeFlags,
): Promise<number> {
  const limit = countOf("--limit", flags.limit) ?? DEFAULT_LIMIT;
  const say = (line: string): void => terminal.out.write(`${clipped(line, terminal.outColumns)}\n`);
  return withSessions(terminal, async (sessions) => {
    if (id !== undefined) {
      const { info, entries } = await loadSession(terminal, sessions, id);
      say(sessionLine(info, { showProject: true }));
      for (const line of outlineText(outlineOf(entries))) say(line);
      return 0;
    }
    const all = flags.all === true;
    const infos = await sessions.repository.list({ limit, ...(all ? {} : { cwd: sessions.cwd }) });
    for (const { info, depth } of flattened(familiesOf(infos)))
      say(`${INDENT.repeat(depth)}${sessionLine(info, { showProject: all })}`);
    return 0;
  });
}
