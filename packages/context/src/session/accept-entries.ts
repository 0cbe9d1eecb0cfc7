import type { SessionEntry } from "./entry.js";
import { loadEntry } from "./load.js";
import { SessionError } from "./session-error.js";

/**
 * What a store does first with entries to append: checks them and makes them its own, deeply frozen. Throws kind
 * `malformed` for what is no entry or no JSON, kind `conflict` for a `seq` that does not rise above `lastSeq`.
 */
export function acceptEntries(lastSeq: number, entries: readonly SessionEntry[]): readonly SessionEntry[] {
  let last = lastSeq;
  return entries.map((entry, index) => {
    const own = loadEntry(entry, `entries[${index}]`);
    if (!(own.seq > last)) {
      const problem = `the entry ${own.id} has seq ${own.seq}, but the session is at ${last}: another writer was here, or it is written twice`;
      throw new SessionError("conflict", problem, { seq: own.seq, expected: last + 1 });
    }
    last = own.seq;
    return own;
  });
}
