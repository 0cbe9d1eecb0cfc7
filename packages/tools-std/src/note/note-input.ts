export interface NoteItem {
  readonly title: string;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The arguments of `note`. */
export interface NoteInput {
  readonly action: "set" | "get" | "list" | "remove" | "search";
  /** Titles alone, or with `set` also the fields to merge. */
  readonly notes?: readonly (string | NoteItem)[] | undefined;
  /** Names of the fields to show. */
  readonly only?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
  /** Where the pattern is tried; default everywhere. */
  readonly field?: string | undefined;
  /** How many notes to show. */
  readonly max?: number | undefined;
}

/** Counts, and lengths in characters; `note` is title and fields together, as JSON text. */
export const NOTE_LIMITS = {
  title: 160,
  fields: 32,
  fieldName: 64,
  note: 4096,
  notes: 100,
  perCall: 20,
  max: 50,
  defaultMax: 20,
  pattern: 1000,
} as const;
