import { entryText, foldText, isEntry, type SessionEntry } from "@ashlar/context";
import type { SqlConnection } from "../driver/driver.js";

/** What of an entry can be found, in the form in which it is compared; empty for what has no words. */
export function foldedText(entry: SessionEntry): string {
  return comparable(foldText(entryText(entry)));
}

/** SQLite takes a NUL for the end of a text. Another character in its place finds too much, never too little. */
export function comparable(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}

export function insertText(connection: SqlConnection, position: number, entry: SessionEntry): void {
  const text = foldedText(entry);
  if (text !== "") connection.run("INSERT INTO texts VALUES (?, ?)", position, text);
}

const ROWS_AT_ONCE = 64;

/** Writes the texts of all entries anew. */
export function fillTexts(connection: SqlConnection): void {
  connection.run("DELETE FROM texts");
  let after = 0;
  for (;;) {
    const rows = connection.all(
      "SELECT position, body FROM entries WHERE position > ? ORDER BY position LIMIT ?",
      after,
      ROWS_AT_ONCE,
    );
    if (rows.length === 0) return;
    for (const { position, body } of rows) {
      after = Number(position);
      const entry = parseEntry(body);
      if (entry !== undefined) insertText(connection, after, entry);
    }
  }
}

/** Undefined for what is no entry; reading the session reports it. */
export function parseEntry(body: unknown): SessionEntry | undefined {
  try {
    const value: unknown = JSON.parse(String(body));
    return isEntry(value) ? value : undefined;
  } catch {
    // Damaged text; a search has nothing to find in it.
    return undefined;
  }
}
