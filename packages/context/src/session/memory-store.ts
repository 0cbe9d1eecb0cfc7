import { ContextError } from "../context-error.js";
import type { SessionEntry } from "./entry.js";
import type { SessionStore } from "./store.js";

/** A store that lives as long as the process. */
export function createMemoryStore(entries: readonly SessionEntry[] = []): SessionStore {
  const kept = [...entries];
  let isClosed = false;
  const refuseClosed = (): void => {
    if (isClosed) throw new ContextError("closed", "this session store is closed; open it again", {});
  };
  return {
    load: async () => {
      refuseClosed();
      return [...kept];
    },
    append: async (more) => {
      refuseClosed();
      kept.push(...more);
    },
    close: async () => {
      isClosed = true;
    },
  };
}
