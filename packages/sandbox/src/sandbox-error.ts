/** What each failure tells beside its kind. */
export interface SandboxErrorDetails {
  /** A policy or an argument is wrong; `at` names it, such as `policy.writeRoots[0]`. */
  usage: { readonly at: string };
  /** No mechanism works on this machine. */
  unavailable: { readonly reason: string; readonly remedy: string };
  /** The sandbox came up, but not as asked; nothing was run in it. */
  weak: { readonly problems: readonly string[] };
  /** The sandbox, or what should run in it, could not be started. `output` is the end of its standard error. */
  start: { readonly code?: string; readonly output?: string };
  /** A signal ended the worker before it was ready. */
  cancelled: Record<string, never>;
  /** The worker has ended. */
  closed: Record<string, never>;
}

export type SandboxErrorKind = keyof SandboxErrorDetails;

const ASHLAR_ERROR: unique symbol = Symbol.for("ashlar.error");

/** Every way this package fails. Switch on `kind`, never on the text. */
export class SandboxError<Kind extends SandboxErrorKind = SandboxErrorKind> extends Error {
  readonly [ASHLAR_ERROR] = true;
  readonly kind: Kind;
  readonly details: SandboxErrorDetails[Kind];

  constructor(
    kind: Kind,
    message: string,
    details: SandboxErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "SandboxError";
    this.kind = kind;
    this.details = details;
  }

  toJSON(): { name: string; kind: string; message: string; details: object } {
    return { name: this.name, kind: this.kind, message: this.message, details: this.details };
  }
}

/** True for an error of this package, whichever copy of it made the error. */
export function isSandboxError(value: unknown): value is SandboxError {
  return (
    value instanceof Error &&
    ASHLAR_ERROR in value &&
    value[ASHLAR_ERROR] === true &&
    value.name === "SandboxError"
  );
}
