import type { SessionEntry } from "./entry.js";

/** Where a session's entries are kept. Nothing here is local or a file; one writer at a time. */
export interface SessionStore {
  /** All entries, in `seq` order. */
  readonly load: () => Promise<readonly SessionEntry[]>;
  /** Commits entries in this order: resolves when they are safe. After a rejection the Context writes no more. */
  readonly append: (entries: readonly SessionEntry[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
