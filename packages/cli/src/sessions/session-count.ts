import type { Terminal } from "../terminal.js";

/** Says on stderr that there are no sessions, or that there may be more than were asked for. */
export function sayCount(
  terminal: Terminal,
  count: number,
  { limit, all }: { readonly limit: number; readonly all: boolean },
): void {
  if (count >= limit) terminal.err.write(`ashlar: there may be more than ${limit}; see --limit\n`);
  if (count > 0) return;
  const where = all ? "no session is kept yet" : "this project has no session yet; --all shows others";
  terminal.err.write(`ashlar: ${where}\n`);
}
