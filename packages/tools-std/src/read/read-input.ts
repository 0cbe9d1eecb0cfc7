/** Positions count from 1 and include both ends; negative ones count from the end. */
export interface ReadRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface ReadLineRange extends ReadRange {
  /** The last lines of the file; not together with `from` and `to`. */
  readonly last?: number | undefined;
}

export interface ReadSearch {
  readonly text?: string | undefined;
  readonly regex?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** Lines that do not match. */
  readonly invert?: boolean | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The arguments of `read`. */
export interface ReadInput {
  readonly path: string;
  readonly recursive?: boolean | undefined;
  readonly ignore?: boolean | undefined;
  readonly glob?: string | readonly string[] | undefined;
  readonly exclude?: string | readonly string[] | undefined;
  readonly lines?: ReadLineRange | undefined;
  readonly characters?: ReadRange | undefined;
  readonly bytes?: ReadRange | undefined;
  readonly search?: ReadSearch | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly info?: boolean | undefined;
  readonly annotate?: boolean | undefined;
  readonly binary?: boolean | undefined;
  readonly base64?: boolean | undefined;
  readonly target?: string | undefined;
}
