export interface Edit {
  /** Exact text of the file; line ends count as equal, whichever they are. */
  readonly oldText: string;
  readonly newText: string;
}

/** The arguments of `edit`: either `edits` or `rollback`. */
export interface EditInput {
  readonly path: string;
  readonly edits?: readonly Edit[] | undefined;
  /** Replace every place an `oldText` stands at. */
  readonly matchAll?: boolean | undefined;
  /** The id of an earlier change of this file that is taken back. */
  readonly rollback?: string | undefined;
  readonly ask?: boolean | undefined;
}
