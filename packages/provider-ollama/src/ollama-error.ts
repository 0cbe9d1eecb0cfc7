import { AshlarError } from "@ashlar/context";

export interface OllamaErrorDetails {
  /** `at` names the setting, variable or block that is wrong. */
  malformed: { readonly at: string };
  auth: { readonly status: number };
  provider: { readonly status?: number };
}
export type OllamaErrorKind = keyof OllamaErrorDetails;

/** What this provider fails with before or beside a request; network failures keep the error of the transport. */
export class OllamaError<Kind extends OllamaErrorKind = OllamaErrorKind> extends AshlarError<
  Kind,
  OllamaErrorDetails[Kind]
> {}
