import { AshlarError, isAshlarError } from "./error.js";

/** Every way this package fails, with what is known about each. */
export interface ContextErrorDetails {
  /** Data that is no message, event or JSON; `at` is its place, such as `context[3].content[0].callId`. */
  malformed: { readonly at?: string };
  /** A position, a call id or an argument that does not fit the context as it is. */
  usage: { readonly argument?: string };
  /** A provider class that does not keep the contract. */
  contract: { readonly name: string; readonly contract?: number; readonly member?: string };
  /** The store refused entries; the context takes no more writes. */
  storage: { readonly unsaved: number };
  closed: Record<string, never>;
}
export type ContextErrorKind = keyof ContextErrorDetails;

export class ContextError<Kind extends ContextErrorKind = ContextErrorKind> extends AshlarError<
  Kind,
  ContextErrorDetails[Kind]
> {
  constructor(
    kind: Kind,
    message: string,
    details: ContextErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(kind, message, details, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "ContextError";
  }
}

/** True for an error of this package, whichever copy of it made the error. */
export function isContextError(value: unknown): value is ContextError {
  return isAshlarError(value) && value.name === "ContextError";
}

/** The error for data that breaks a rule; the text starts with the place. */
export function malformed(at: string, problem: string): ContextError<"malformed"> {
  return new ContextError("malformed", `${at}: ${problem}`, { at });
}
