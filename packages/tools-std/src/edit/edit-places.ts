import { ToolError } from "../tool-error.js";
import type { Edit } from "./edit-input.js";
import { explainMiss } from "./edit-miss.js";
import { type FlatText, lineAt } from "./flat-text.js";
import { dominant, type LineEnd } from "./line-end.js";

/** Places of an ambiguous text that are counted. */
const MAX_PLACES = 1000;
const NAMED_PLACES = 10;

/** One text to be replaced, in positions of the flat text. */
export interface EditPlace {
  /** Which of the edits. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** The new text, line ends as LF. */
  readonly replacement: Buffer;
  /** The line end that the new text came with, for a file that has none. */
  readonly ownLineEnd: LineEnd;
}

/**
 * Where each edit applies, in the order of the file. Throws kind `usage` for a text that is not there, that is there
 * more than once, or that overlaps another.
 */
export function editPlaces(text: FlatText, edits: readonly Edit[], matchAll: boolean): readonly EditPlace[] {
  const places = edits
    .flatMap((edit, index) => placesOf(text, { edits, edit, index, matchAll }))
    .sort((left, right) => left.start - right.start);
  for (const [position, place] of places.entries()) {
    const next = places[position + 1];
    if (next === undefined || place.end <= next.start) continue;
    throw problem(
      next.index,
      `edits[${place.index}] and edits[${next.index}] change the same text in line ${lineAt(text.flat, next.start)}; join them into one`,
    );
  }
  return places;
}

interface Search {
  readonly edits: readonly Edit[];
  readonly edit: Edit;
  readonly index: number;
  readonly matchAll: boolean;
}

function placesOf(text: FlatText, { edits, edit, index, matchAll }: Search): readonly EditPlace[] {
  const needle = flatNeedle(edit.oldText, text);
  const replacement = flatNeedle(edit.newText, text);
  if (needle.byteLength === 0)
    throw problem(index, `edits[${index}].oldText is empty; to make a file, use write`);
  if (needle.equals(replacement)) {
    const why =
      edit.oldText === edit.newText
        ? "is the same as its newText"
        : "differs from its newText in line ends only, and those stay as the file has them";
    throw problem(index, `edits[${index}].oldText ${why}`);
  }
  const starts = matchAll ? apart(text.flat, needle) : overlapping(text.flat, needle);
  if (starts.length === 0) {
    const others = edits.filter((_, other) => other !== index);
    throw problem(index, `edits[${index}].oldText ${explainMiss(text.flat.toString("utf8"), edit, others)}`);
  }
  if (!matchAll && starts.length > 1) throw problem(index, ambiguity(text.flat, starts, index));
  const ownLineEnd = dominant(Buffer.from(edit.newText)) ?? "\n";
  return starts.map((start) => ({ index, start, end: start + needle.byteLength, replacement, ownLineEnd }));
}

/** Line ends as LF; a byte order mark in front belongs to the file and not to the text. */
function flatNeedle(text: string, { hasBom }: FlatText): Buffer {
  const own = hasBom && text.startsWith("\ufeff") ? text.slice(1) : text;
  return Buffer.from(own.replaceAll("\r\n", "\n"), "utf8");
}

function apart(flat: Buffer, needle: Buffer): readonly number[] {
  const starts: number[] = [];
  for (let at = flat.indexOf(needle); at >= 0; at = flat.indexOf(needle, at + needle.byteLength))
    starts.push(at);
  return starts;
}

function overlapping(flat: Buffer, needle: Buffer): readonly number[] {
  const starts: number[] = [];
  for (
    let at = flat.indexOf(needle);
    at >= 0 && starts.length <= MAX_PLACES;
    at = flat.indexOf(needle, at + 1)
  )
    starts.push(at);
  return starts;
}

function ambiguity(flat: Buffer, starts: readonly number[], index: number): string {
  const count = starts.length > MAX_PLACES ? `more than ${MAX_PLACES}` : String(starts.length);
  const lines = starts.slice(0, NAMED_PLACES).map((start) => lineAt(flat, start));
  const more = starts.length > NAMED_PLACES ? ", …" : "";
  return `edits[${index}].oldText stands at ${count} places, in lines ${lines.join(", ")}${more}; add text around it until it is the only one, or set matchAll`;
}

function problem(index: number, message: string): ToolError<"usage"> {
  return new ToolError("usage", `${message}. Nothing was changed.`, { argument: `edits[${index}].oldText` });
}
