import type { SessionEntry } from "./entry.js";
import { loadEntry, passEntry } from "./load.js";
import { SessionError } from "./session-error.js";

export interface AcceptOptions {
  /** True for a store that turns the entries into text before anybody else runs, so that it needs no copies. */
  readonly serialises?: boolean;
}

/**
 * What a store does first with entries to append: checks them and makes them its own, deeply frozen. Throws kind
 * `malformed` for what is no entry or no JSON, kind `conflict` for a `seq` that does not rise above `lastSeq`.
 */
export function acceptEntries(
  lastSeq: number,
  entries: readonly SessionEntry[],
  options: AcceptOptions = {},
): readonly SessionEntry[] {
  const check = options.serialises === true ? passEntry : loadEntry;
  let last = lastSeq;
  return entries.map((entry, index) => {
    const own = check(entry, `entries[${index}]`);
    if (!(own.seq > last)) {
      const problem = `the entry ${own.id} has seq ${own.seq}, but the session is at ${last}: another writer was here, or it is written twice`;
      throw new SessionError("conflict", problem, { seq: own.seq, expected: last + 1 });
    }
    last = own.seq;
    return own;
  });
}
