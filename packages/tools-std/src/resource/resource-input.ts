/** The arguments of `resource`. */
export interface ResourceInput {
  /** Of the skill. */
  readonly name: string;
  /** Absent: list the files. */
  readonly path?: string | undefined;
  /** A new file that gets the bytes; only with `path`. */
  readonly target?: string | undefined;
  readonly ask?: boolean | undefined;
}
