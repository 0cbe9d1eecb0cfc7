import { AshlarError } from "@ashlar/context";

/** How a standard tool fails. The message is written for the model that made the call. */
export interface ToolErrorDetails {
  /** Arguments that do not go together, or do not fit what they are for. */
  usage: { readonly argument: string };
  missing: { readonly path: string };
  /** The path leads out of where the call may work; `target` is where it really leads. */
  outside: { readonly path: string; readonly target: string };
  /** Not allowed, whatever the operating system says: a credential file, a device, a call that may change nothing. */
  refused: { readonly path?: string; readonly reason: string };
  /** The operating system said no; `code` such as `EACCES`. */
  unreadable: { readonly path: string; readonly code?: string };
  /** The same for a change. Nothing was changed. */
  unwritable: { readonly path: string; readonly code?: string };
  /** The file is not what it was, so nothing was written. */
  changed: { readonly path: string };
  /** A pattern ran out of time. */
  timeout: { readonly limitMs: number };
  cancelled: Record<string, never>;
}
export type ToolErrorKind = keyof ToolErrorDetails;

export class ToolError<Kind extends ToolErrorKind = ToolErrorKind> extends AshlarError<
  Kind,
  ToolErrorDetails[Kind]
> {}

export function isToolError(value: unknown): value is ToolError {
  return value instanceof Error && value.name === "ToolError" && "kind" in value;
}
