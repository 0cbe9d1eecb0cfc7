import { acceptEntries } from "./accept-entries.js";
import type { SessionEntry } from "./entry.js";
import { selectEntries } from "./log-query.js";
import { closedStore } from "./session-error.js";
import type { SessionStore } from "./store.js";

/** A store that lives as long as the process. */
export function createMemoryStore(entries: readonly SessionEntry[] = []): SessionStore {
  const kept = [...entries];
  let isClosed = false;
  const open = (): readonly SessionEntry[] => {
    if (isClosed) throw closedStore();
    return kept;
  };
  return {
    load: async () => [...open()],
    read: (query = {}) => selectEntries(snapshot(open), query),
    append: async (more) => {
      open();
      kept.push(...acceptEntries(kept.at(-1)?.seq ?? 0, more));
    },
    close: async () => {
      isClosed = true;
    },
  };
}

async function* snapshot(open: () => readonly SessionEntry[]): AsyncGenerator<SessionEntry, void, undefined> {
  yield* [...open()];
}
