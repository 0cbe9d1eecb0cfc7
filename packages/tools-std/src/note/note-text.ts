import type { JsonObject } from "@ashlar/context";
import { withNotes } from "../read/read-notes.js";
import { NOTE_LIMITS } from "./note-input.js";
import type { NoteRequest } from "./note-request.js";
import type { Note } from "./notes.js";

/** UTF-16 units of one result; a single note always fits. */
const MAX_OUTPUT = 50_000;

/** Whole notes, one JSON object a line, or of their fields only some. */
export function notesText(
  notes: readonly Note[],
  only: readonly string[] | undefined,
  more: readonly string[] = [],
): string {
  const lines: string[] = [];
  let room = MAX_OUTPUT;
  for (const { title, fields } of notes) {
    const line = JSON.stringify({ title, fields: only === undefined ? fields : chosen(fields, only) });
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = notes.length - lines.length;
  const cut =
    left === 0 ? [] : [`${left} more do not fit here; ask for fewer, or with only for some fields.`];
  return withNotes(lines.join("\n"), [...cut, ...more]);
}

/** Titles, one a line; with `only`, also those fields. */
export function listText(notes: readonly Note[], { only, max }: NoteRequest): string {
  if (notes.length === 0) return "[No notes.]";
  const shown = notes.slice(0, max);
  const more =
    shown.length === notes.length ? [] : [`${shown.length} of ${notes.length} notes. ${goOn(max)}`];
  if (only !== undefined) return notesText(shown, only, more);
  return withNotes(shown.map(({ title }) => title).join("\n"), more);
}

/** What a search found among `total` notes. */
export function foundText(found: readonly Note[], total: number, { only, max }: NoteRequest): string {
  if (found.length === 0) return `[None of ${total} notes matches.]`;
  const shown = found.slice(0, max);
  const more =
    shown.length === found.length ? [] : [`${shown.length} of ${found.length} matches. ${goOn(max)}`];
  return notesText(shown, only, more);
}

function goOn(max: number): string {
  return max < NOTE_LIMITS.max
    ? `Ask with a larger max, up to ${NOTE_LIMITS.max}, or search.`
    : "Search to find others.";
}

function chosen(fields: JsonObject, only: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => only.includes(name)));
}
