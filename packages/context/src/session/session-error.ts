import { AshlarError, isAshlarError } from "../error.js";

/** Every way a store or a repository of sessions fails, the same for all of them. */
export interface SessionErrorDetails {
  /** No session of this id or prefix. */
  missing: { readonly id: string };
  /** A prefix that several sessions share. */
  ambiguous: { readonly id: string; readonly matches: readonly string[] };
  exists: { readonly id: string };
  /** Another writer has the session; `since` and `heartbeat` are epoch milliseconds. */
  locked: {
    readonly id: string;
    readonly pid?: number;
    readonly host?: string;
    readonly since?: number;
    readonly heartbeat?: number;
  };
  /** Another writer took the session over because this one gave no sign of life. */
  overtaken: { readonly id: string; readonly pid?: number };
  /** Opened for reading, or kept where nothing can be written. */
  readonly: { readonly id: string };
  /** Written by a newer version. */
  version: { readonly found: number; readonly supported: number };
  /** What is there is no session, or too damaged to add to; `at` is its place. */
  damaged: { readonly at: string };
  /** Entries that do not continue what the store holds. */
  conflict: { readonly seq: number; readonly expected: number };
  /** A query, an id or a fork target that makes no sense. */
  usage: { readonly argument: string };
  /** The medium refused; `code` is the system's, such as `ENOSPC`. */
  storage: { readonly code?: string };
  closed: Record<string, never>;
}
export type SessionErrorKind = keyof SessionErrorDetails;

export class SessionError<Kind extends SessionErrorKind = SessionErrorKind> extends AshlarError<
  Kind,
  SessionErrorDetails[Kind]
> {
  constructor(
    kind: Kind,
    message: string,
    details: SessionErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(kind, message, details, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "SessionError";
  }
}

/** True for an error of a session store, whichever copy of this package made it. */
export function isSessionError(value: unknown): value is SessionError {
  return isAshlarError(value) && value.name === "SessionError";
}

export function closedStore(): SessionError<"closed"> {
  return new SessionError("closed", "this session store is closed; open it again", {});
}

export function wrongArgument(argument: string, problem: string): SessionError<"usage"> {
  return new SessionError("usage", `${argument}: ${problem}`, { argument });
}
