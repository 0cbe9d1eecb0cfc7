import { AshlarError, isAshlarError } from "@ashlar/context";

/** Every way this package fails by a throw. A run that fails does not throw: its result says so. */
export interface AgentErrorDetails {
  /** A mistake of the caller. */
  usage: { readonly argument?: string };
  /** A run is under way. */
  busy: Record<string, never>;
  closed: Record<string, never>;
  /** A setting of this layer that makes no sense. */
  settings: { readonly key: string };
  /** Permission or the sandbox kept a call from running; nothing was run. */
  refused: { readonly reason: string };
  /** The process in which a tool ran failed, or the tool did. */
  tool: { readonly file: string };
  /** The session belongs to another project's folder. */
  project: { readonly session: string; readonly cwd: string; readonly folder: string };
  /** A change that cannot be undone as things are. */
  undo: { readonly id?: string };
  /** A summary was not written; the conversation is as it was. */
  compaction: { readonly reason: CompactionFailure };
}
/** `budget`: no request was allowed; `request`: it failed; `summary`: its answer was no use; `changed`: the conversation changed meanwhile. */
export type CompactionFailure = "cancelled" | "budget" | "request" | "summary" | "changed";

export type AgentErrorKind = keyof AgentErrorDetails;

export class AgentError<Kind extends AgentErrorKind = AgentErrorKind> extends AshlarError<
  Kind,
  AgentErrorDetails[Kind]
> {
  constructor(
    kind: Kind,
    message: string,
    details: AgentErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(kind, message, details, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "AgentError";
  }
}

/** True for an error of this package, whichever copy of it made the error. */
export function isAgentError(value: unknown): value is AgentError {
  return isAshlarError(value) && value.name === "AgentError";
}
