import { AshlarError } from "@ashlar/context";

/** How a standard tool fails. The message is written for the model that made the call. */
export interface ToolErrorDetails {
  /** Arguments that do not go together, or a pattern that is none. */
  usage: { readonly argument: string };
  missing: { readonly path: string };
  /** The path leads out of the project; `target` is where it really leads. */
  outside: { readonly path: string; readonly target: string };
  /** A credential file, a device, something that needs the sandbox. */
  refused: { readonly path?: string; readonly reason: string };
  /** The operating system said no; `code` such as `EACCES`. */
  unreadable: { readonly path: string; readonly code?: string };
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
