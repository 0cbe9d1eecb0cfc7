/** The arguments of `bash`. */
export interface BashInput {
  readonly command: string;
  /** Milliseconds. A host that times its calls takes it out before. */
  readonly timeout?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly background?: boolean | undefined;
}
