import type { JsonObject } from "../json.js";
import type { ForkTarget } from "./fork.js";
import type { SearchHit, SearchOptions } from "./search.js";
import type { SessionInfo, SessionOrigin, StoredSession } from "./store.js";

export interface CreateSessionOptions {
  /** Default: a new UUIDv7. 1 to 64 letters, digits, `.`, `_`, `-`; the first and the last a letter or a digit. */
  readonly id?: string;
  /** Epoch milliseconds; for a session that was made elsewhere. Default: now. */
  readonly created?: number;
  readonly cwd?: string;
  readonly name?: string;
  readonly parent?: SessionOrigin;
  readonly settings?: JsonObject;
}

export interface OpenSessionOptions {
  /** True: nothing is locked and nothing can be added. Default false. */
  readonly readonly?: boolean;
}

export interface ListSessionsOptions {
  /** Only sessions of this project folder. */
  readonly cwd?: string;
  /** At least 1. Default 50. */
  readonly limit?: number;
}

export interface ForkSessionOptions extends ForkTarget {
  readonly id?: string;
  /** Default: the source's. */
  readonly cwd?: string;
}

/** All sessions of one place. Nothing here is local or a file. Failures are a `SessionError`. */
export interface SessionRepository {
  /** The session is there when this resolves, and locked by its store. */
  readonly create: (options?: CreateSessionOptions) => Promise<StoredSession>;
  /** By id or by a prefix that only one session has. Rejects with kind `missing`, `ambiguous`, `locked`, `version`, `damaged`. */
  readonly open: (id: string, options?: OpenSessionOptions) => Promise<StoredSession>;
  /** By id or by a prefix that only one session has. */
  readonly find: (id: string) => Promise<SessionInfo>;
  /** Newest first; what cannot be read is left out. */
  readonly list: (options?: ListSessionsOptions) => Promise<readonly SessionInfo[]>;
  readonly latest: (options?: { readonly cwd?: string }) => Promise<SessionInfo | undefined>;
  /** Null takes the name away. */
  readonly rename: (id: string, name: string | null) => Promise<void>;
  /** False when there is none. Rejects with kind `locked` while somebody writes to it. */
  readonly delete: (id: string) => Promise<boolean>;
  /** Copies a branch or the whole tree; the source stays as it is. */
  readonly fork: (id: string, options?: ForkSessionOptions) => Promise<SessionInfo>;
  /** Best hits first. */
  readonly search: (text: string, options?: SearchOptions) => AsyncIterable<SearchHit>;
  /** Lets go of what it holds; its sessions that are open are closed before. Absent: it holds nothing. Whoever made it calls this. */
  readonly close?: () => Promise<void>;
}
