/** What a command needs of the process it runs in. Tests hand in their own. */
export interface Terminal {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined when standard input is a terminal: nothing is read from it. */
  readonly input: AsyncIterable<Uint8Array> | undefined;
  readonly out: TextSink;
  readonly err: TextSink;
  /** Fires on SIGINT, SIGTERM and SIGHUP, and when nobody reads standard output any more. */
  readonly cancelled: AbortSignal;
  readonly colour: boolean;
  /** Columns of the output where it is a terminal; else undefined. */
  readonly outColumns?: number | undefined;
  readonly errColumns?: number | undefined;
}

export interface TextSink {
  readonly write: (text: string) => void;
  /** Resolves when everything written has left the process, or can never leave it. */
  readonly flush: () => Promise<void>;
  /** Why what was written did not arrive, such as a full disk; undefined while it does, and where the reader went away. */
  readonly failure?: () => Error | undefined;
}
