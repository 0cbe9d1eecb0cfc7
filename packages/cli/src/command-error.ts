import { AshlarError } from "@ashlar/context";

export interface CommandErrorDetails {
  usage: { readonly argument?: string };
  malformed: { readonly at?: string };
  refused: { readonly reason?: string };
  cancelled: Record<string, never>;
  /** A command that did its work and found something wrong (a tool that failed, a doctor with bad news). */
  failed: Record<string, never>;
}
export type CommandErrorKind = keyof CommandErrorDetails;

export class CommandError<Kind extends CommandErrorKind = CommandErrorKind> extends AshlarError<
  Kind,
  CommandErrorDetails[Kind]
> {}
