import { isObject } from "@ashlar/context";

/** What one line gave: the JSON values in it, and what was wrong. */
export interface ParsedLine {
  readonly values: readonly unknown[];
  /** Undefined when the line is one JSON value, or blank. */
  readonly problem?: string;
}

const ENTRY_START = '{"id":"';
/** Only so many places of a damaged line are tried. */
const MAX_STARTS = 12;
const BLANK: ParsedLine = { values: [] };

/** Reads a line, whatever happened to it. NUL runs around a value and a byte order mark are passed over. */
export function parseLine(text: string): ParsedLine {
  try {
    return { values: [JSON.parse(text)] };
  } catch {
    // What is wrong is found out below; most lines never get here.
    return parseDamaged(text);
  }
}

function parseDamaged(text: string): ParsedLine {
  const bare = text.replace(/^\ufeff/, "");
  const stripped = withoutNuls(bare);
  if (stripped.trim() === "") return bare.includes("\0") ? { values: [], problem: nuls(bare) } : BLANK;
  const value = tryParse(stripped);
  if (value !== undefined)
    return stripped === bare ? { values: [value] } : { values: [value], problem: nuls(bare) };
  const recovered = recover(stripped);
  if (recovered.length === 0) return { values: [], problem: "it is no JSON and was passed over" };
  return { values: recovered, problem: `it is damaged; ${recovered.length} whole entry in it was read` };
}

/** Entries that stand whole in a damaged line, such as behind a torn one that lost its line end. */
function recover(text: string): readonly unknown[] {
  const starts = startsIn(text);
  const found: unknown[] = [];
  let from = 0;
  for (const start of starts) {
    if (start < from) continue;
    const ends = [text.length, ...starts.filter((one) => one > start).reverse()];
    for (const end of ends) {
      const value = tryParse(text.slice(start, end));
      if (!isEntryLike(value)) continue;
      found.push(value);
      from = end;
      break;
    }
  }
  return found;
}

function startsIn(text: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(ENTRY_START); at >= 0; at = text.indexOf(ENTRY_START, at + 1)) starts.push(at);
  // The last ones: what was written last is what no other copy has.
  return starts.slice(-MAX_STARTS);
}

function isEntryLike(value: unknown): boolean {
  return isObject(value) && typeof value.seq === "number" && typeof value.kind === "string";
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller tries another piece.
    return undefined;
  }
}

function withoutNuls(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === "\0") start += 1;
  while (end > start && text[end - 1] === "\0") end -= 1;
  return text.slice(start, end);
}

function nuls(text: string): string {
  const count = text.length - text.replaceAll("\0", "").length;
  return `${count} NUL bytes were passed over`;
}
