/** `loaded` ends a round of `poll`, `saved` one of `save`; `updated` follows either when data changed since the last round. */
export type SettingsNotice = "loaded" | "saved" | "updated";

export interface SettingsNoticeDetails {
  /** Files that were read, written, or changed in that round. */
  readonly files: readonly string[];
}
