import { AshlarError, isAshlarError } from "@ashlar/context";

/** What a failed request tells beside its kind. Texts are bounded and free of credentials. */
export interface IOErrorDetails {
  usage: { readonly argument?: string };
  auth: HttpFailure;
  network: { readonly code?: string; readonly limit?: string; readonly retryAfterMs?: number };
  provider: HttpFailure & {
    /** In tokens. */
    readonly contextOverflow?: { readonly window?: number; readonly needed?: number };
    readonly retryable?: boolean;
  };
  malformed: { readonly at?: string };
  cancelled: Record<string, never>;
}

/** An answer of the server that was not a success. */
export interface HttpFailure {
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The server's own error code, when its body names one. */
  readonly code?: string;
  /** The decoded error body: a JSON value, or text of at most 64 KiB. */
  readonly body?: unknown;
}

export type IOErrorKind = keyof IOErrorDetails;

/** Every way this package fails. `usage` is a mistake of the caller; the other kinds are those of a failed request. */
export class IOError<Kind extends IOErrorKind = IOErrorKind> extends AshlarError<Kind, IOErrorDetails[Kind]> {
  constructor(
    kind: Kind,
    message: string,
    details: IOErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(kind, message, details, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "IOError";
  }

  /** The HTTP status of the answer that failed, when there was one. */
  get status(): number | undefined {
    return "status" in this.details ? this.details.status : undefined;
  }
}

/** True for an error of this package, whichever copy of it made the error. */
export function isIOError(value: unknown): value is IOError {
  return isAshlarError(value) && value.name === "IOError";
}
