import { spanOf } from "../range.js";
import type { ReadRange } from "../read-input.js";
import type { ReadFile, ReadScope } from "../read-scope.js";
import { readBytes } from "./file-chunks.js";
import { continuationLength, decodeText, wholeCharactersLength } from "./text-decoding.js";
import type { TextView } from "./text-view.js";

/** A byte range as text; characters that the range cuts are left out and counted. */
export async function textBytes(source: ReadFile, scope: ReadScope, range: ReadRange): Promise<TextView> {
  const part = await bytePart(source, range, scope.budget.outputBytes);
  const before = part.first === 1 ? 0 : continuationLength(part.bytes);
  const end = part.last < source.stat.size ? wholeCharactersLength(part.bytes) : part.bytes.byteLength;
  const { text, invalid, nul } = decodeText(part.bytes.subarray(before, Math.max(before, end)));
  const cut = before + part.bytes.byteLength - Math.max(before, end);
  return {
    text,
    notes: [
      ...partNotes(part, source.stat.size, end - part.bytes.byteLength),
      ...(cut === 0
        ? []
        : [`${cut} ${cut === 1 ? "byte" : "bytes"} at the ends belong to cut characters and are left out.`]),
      ...(invalid ? ["Bytes that are not UTF-8 are shown as \ufffd."] : []),
      ...(nul ? ["NUL bytes are shown as \u2400."] : []),
    ],
    partial: part.last < part.wanted,
  };
}

/** A byte range, or the whole file, as base64. */
export async function base64Bytes(source: ReadFile, scope: ReadScope, range: ReadRange): Promise<TextView> {
  // Three bytes make four characters.
  const room = Math.max(3, Math.floor(scope.budget.outputBytes / 4) * 3);
  const part = await bytePart(source, range, room);
  const text = Buffer.from(part.bytes).toString("base64");
  return { text, notes: partNotes(part, source.stat.size, 0), partial: part.last < part.wanted };
}

interface BytePart {
  readonly bytes: Uint8Array;
  /** From 1, both included. */
  readonly first: number;
  readonly last: number;
  /** The last byte that was asked for and is there. */
  readonly wanted: number;
}

async function bytePart({ file, stat }: ReadFile, range: ReadRange, room: number): Promise<BytePart> {
  const { first, last: wanted } = spanOf(range, stat.size);
  const length = Math.max(0, Math.min(wanted - first + 1, room));
  const bytes = await readBytes(file, first - 1, length);
  return { bytes, first, last: first - 1 + bytes.byteLength, wanted };
}

function partNotes(
  { bytes, first, last, wanted }: BytePart,
  size: number,
  cutAtEnd: number,
): readonly string[] {
  if (bytes.byteLength === 0)
    return [size === 0 ? "The file is empty." : `The file has ${size} bytes; there are none in this range.`];
  if (first === 1 && last >= size) return [];
  const more = last < wanted ? ` Continue with bytes: {"from": ${last + cutAtEnd + 1}}.` : "";
  return [`Bytes ${first}-${last} of ${size} shown.${more}`];
}
