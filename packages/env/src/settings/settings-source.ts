/** One node of a store: a JSON file with comments, or data in memory. */
export interface SettingsSource {
  /** Path of the file. It is read by `poll()` and written by `save()`. */
  readonly source?: string;
  /** Data in memory. Copied; default `{}`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The key path where the data is mounted. Default: the root. */
  readonly at?: readonly string[];
  /** Takes keys that it does not hold yet. */
  readonly catchAll?: boolean;
  readonly readOnly?: boolean;
}
