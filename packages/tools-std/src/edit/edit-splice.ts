import type { EditPlace } from "./edit-places.js";
import { countNewlines, type FlatText } from "./flat-text.js";
import { type LineEnd, LineEnds } from "./line-end.js";

export interface Spliced {
  readonly bytes: Buffer;
  /** Lines, from 1, in the new text, where something was replaced. */
  readonly lines: readonly number[];
}

/** The file with its places replaced; every other byte stays. `places` are in order and do not overlap. */
export function splice(raw: Buffer, text: FlatText, places: readonly EditPlace[]): Spliced {
  const parts: Buffer[] = [];
  const lines: number[] = [];
  const lineEnds = new LineEnds(raw);
  let from = 0;
  let newlines = 0;
  const push = (part: Buffer): void => {
    parts.push(part);
    newlines += countNewlines(part);
  };
  for (const place of places) {
    const { start, end, middle } = narrowed(text, place);
    push(raw.subarray(from, start));
    lines.push(newlines + 1);
    const found = { start: text.rawAt(place.start), end: text.rawAt(place.end) };
    push(
      middle.includes("\n")
        ? withLineEnds(middle, lineEnds.at({ start, end }, found) ?? place.ownLineEnd)
        : middle,
    );
    from = end;
  }
  push(raw.subarray(from));
  return { bytes: Buffer.concat(parts), lines };
}

interface Narrowed {
  readonly start: number;
  readonly end: number;
  readonly middle: Buffer;
}

/** What old and new text share at their ends is not replaced, so that the line ends there stay each what it is. */
function narrowed({ flat, rawAt }: FlatText, { start, end, replacement }: EditPlace): Narrowed {
  const old = flat.subarray(start, end);
  const shorter = Math.min(old.byteLength, replacement.byteLength);
  let prefix = 0;
  while (prefix < shorter && old[prefix] === replacement[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < shorter - prefix && old.at(-1 - suffix) === replacement.at(-1 - suffix)) suffix += 1;
  return {
    start: rawAt(start + prefix),
    end: rawAt(end - suffix),
    middle: replacement.subarray(prefix, replacement.byteLength - suffix),
  };
}

function withLineEnds(bytes: Buffer, lineEnd: LineEnd): Buffer {
  if (lineEnd === "\n") return bytes;
  // One byte a character, there and back, so that no byte changes but those.
  return Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
}
