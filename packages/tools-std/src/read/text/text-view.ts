/** Content of a file and what has to be said about it, one sentence each. */
export interface TextView {
  readonly text: string;
  readonly notes: readonly string[];
  /** Something that was asked for did not fit, or was not reached. */
  readonly partial: boolean;
}
