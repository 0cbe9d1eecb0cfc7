import type { JsonValue } from "./json.js";
import type { ContextItem, Message } from "./message.js";
import type { SessionEntry } from "./session/entry.js";
import type { SessionStore, StoredSession } from "./session/store.js";
import type { Clock, Randomness } from "./session/uuid.js";

export interface ContextOptions {
  /** Default: a new UUIDv7. */
  readonly id?: string;
  /** What the context starts with; calls without a result are allowed here. */
  readonly items?: readonly ContextItem[];
  /** What the store holds already. `Context.open` reads it instead. */
  readonly entries?: readonly SessionEntry[];
  /** Default: nothing is kept beyond this object. */
  readonly store?: SessionStore;
  /** Epoch milliseconds. Default: the system's clock. */
  readonly now?: Clock;
  /** Default: the platform's `crypto`. */
  readonly random?: Randomness;
}

export interface OpenContextOptions extends Omit<ContextOptions, "entries" | "items"> {
  readonly store: SessionStore | StoredSession;
  /** The branch to work on; a name that is new starts at the root. Default `main`. */
  readonly lane?: string;
  /** Keep also what lies behind the newest compaction, for undo and old branches. Default false. */
  readonly whole?: boolean;
}

export interface Compaction {
  /** The position of the first item that stays as it is; the length when none does. */
  readonly firstKept: number;
  readonly summary: Message;
  readonly details?: JsonValue;
}

export interface BranchSummary {
  /** The entry at which the other branch was left. */
  readonly from: string;
  readonly message: Message;
  readonly details?: JsonValue;
}

export interface AppendOptions {
  /** False keeps the message apart from the one before it. */
  readonly merge?: boolean;
}
