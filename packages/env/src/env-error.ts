import { AshlarError, isAshlarError } from "@ashlar/context";

/** What Env fails with; `auth`, `network` and `provider` come from logins and catalogue calls. */
export interface EnvErrorDetails {
  usage: { readonly argument?: string };
  settings: {
    readonly file?: string;
    readonly key?: string;
    readonly line?: number;
    readonly column?: number;
  };
  auth: { readonly endpoint?: string; readonly status?: number };
  network: { readonly url?: string; readonly code?: string };
  provider: { readonly endpoint?: string; readonly status?: number };
  cancelled: Record<string, never>;
  extend: { readonly name: string; readonly owners: readonly string[] };
  tool: { readonly name?: string; readonly file?: string };
  refused: { readonly name: string; readonly reason: string };
  /** A skill, a prompt or one of their files. */
  content: { readonly name?: string; readonly file?: string };
  closed: Record<string, never>;
}
export type EnvErrorKind = keyof EnvErrorDetails;

export class EnvError<Kind extends EnvErrorKind = EnvErrorKind> extends AshlarError<
  Kind,
  EnvErrorDetails[Kind]
> {
  constructor(
    kind: Kind,
    message: string,
    details: EnvErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(kind, message, details, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "EnvError";
  }
}

/** True for an error of any copy of this package. */
export function isEnvError(value: unknown): value is EnvError {
  return isAshlarError(value) && value.name === "EnvError";
}
