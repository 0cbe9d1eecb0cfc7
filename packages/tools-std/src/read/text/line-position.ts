import type { OpenFile } from "@ashlar/context/tool";
import type { ReadMeter } from "../read-meter.js";
import { chunksOf, readBytes } from "./file-chunks.js";
import { countNewlines } from "./line-cutter.js";

const NEWLINE = 0x0a;
const BACKWARD_BYTES = 64 * 1024;

/** Where a line begins, as a byte position; or how many lines there are when there is no such line. */
export type LinePlace = { readonly start: number } | { readonly lines: number };

/** Finds line `number`, counted from 1, reading from the start of the file. */
export async function findLine(file: OpenFile, number: number, meter: ReadMeter): Promise<LinePlace> {
  if (number <= 1) return { start: 0 };
  let missing = number - 1;
  let trailing = false;
  for await (const { bytes, at } of chunksOf(file, 0, meter)) {
    const count = countNewlines(bytes);
    if (count >= missing) {
      const end = newlineIndex(bytes, missing);
      if (at + end + 1 < at + bytes.byteLength || (await hasMore(file, at + end + 1)))
        return { start: at + end + 1 };
      return { lines: number - 1 };
    }
    missing -= count;
    trailing = bytes[bytes.byteLength - 1] !== NEWLINE;
  }
  return { lines: number - 1 - missing + (trailing ? 1 : 0) };
}

/** The lines from a byte position that begins a line. Undefined when the meter ended first. */
export async function countLines(
  file: OpenFile,
  start: number,
  meter: ReadMeter,
): Promise<number | undefined> {
  let count = 0;
  let trailing = false;
  for await (const { bytes } of chunksOf(file, start, meter)) {
    count += countNewlines(bytes);
    trailing = bytes[bytes.byteLength - 1] !== NEWLINE;
  }
  return meter.exhausted === undefined ? count + (trailing ? 1 : 0) : undefined;
}

/** Where the last `count` lines begin; undefined when the meter ended first. Reads backwards. */
export async function findLineFromEnd(
  file: OpenFile,
  { size, count, meter }: { readonly size: number; readonly count: number; readonly meter: ReadMeter },
): Promise<number | undefined> {
  // A newline at the very end ends the last line and begins none.
  let missing = count;
  let end = size;
  while (end > 0) {
    const length = meter.takeBytes(Math.min(BACKWARD_BYTES, end));
    if (length === 0) return undefined;
    const start = end - length;
    const bytes = await readBytes(file, start, length);
    for (
      let at = bytes.lastIndexOf(NEWLINE);
      at >= 0;
      at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)
    ) {
      if (start + at === size - 1) continue;
      missing -= 1;
      if (missing === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

function newlineIndex(bytes: Uint8Array, nth: number): number {
  let at = -1;
  for (let seen = 0; seen < nth; seen += 1) at = bytes.indexOf(NEWLINE, at + 1);
  return at;
}

async function hasMore(file: OpenFile, at: number): Promise<boolean> {
  return (await file.read(new Uint8Array(1), at)) > 0;
}
