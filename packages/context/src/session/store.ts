import type { JsonObject } from "../json.js";
import type { SessionEntry } from "./entry.js";
import type { LogQuery } from "./log-query.js";

export interface CommitOptions {
  /** Also survives a loss of power, not only the end of the process. Default false. */
  readonly durable?: boolean;
}

/** Where a session's entries are kept. Nothing here is local or a file; one writer at a time. */
export interface SessionStore {
  /** All entries, in `seq` order. */
  readonly load: () => Promise<readonly SessionEntry[]>;
  /** The same one after another, so that a long session needs no room. Each is whole and its parent came before it. */
  readonly read: (query?: LogQuery) => AsyncIterable<SessionEntry>;
  /**
   * Commits entries in this order: resolves when the end of the process cannot lose them. Rejects with kind `conflict`
   * for a `seq` that does not rise, and then keeps nothing of the batch. After a rejection the Context writes no more.
   */
  readonly append: (entries: readonly SessionEntry[], options?: CommitOptions) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Where a session came from. */
export interface SessionOrigin {
  readonly session: string;
  /** The last entry that both share; absent when all were copied. */
  readonly entry?: string;
}

/** What is known of a session without reading it whole. */
export interface SessionInfo {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly created: number;
  /** Epoch milliseconds of the last entry. */
  readonly updated: number;
  /** The project's folder. */
  readonly cwd?: string;
  readonly name?: string;
  /** The start of what the user said first; at most 72 characters. */
  readonly preview?: string;
  readonly parent?: SessionOrigin;
  /** What the host wants to find again when the session is resumed. */
  readonly settings?: JsonObject;
}

/** What is wrong with stored data, or `format`: it was brought from an older format to this one. */
export type DamageReason =
  | "format"
  | "unreadable"
  | "torn"
  | "malformed"
  | "duplicate"
  | "missing"
  | "disorder"
  | "orphan";

export interface SessionDamage {
  readonly reason: DamageReason;
  /** Where, such as `/path/session.jsonl:12`. */
  readonly at: string;
  /** One sentence for people: what is wrong and what was done. */
  readonly message: string;
}

/** A session as a repository opens it. */
export interface StoredSession extends SessionStore {
  readonly info: SessionInfo;
  /** What was found so far; complete after a whole `read`. */
  readonly damage: readonly SessionDamage[];
}
