import type { FileHandle } from "node:fs/promises";

/** One line, valid until the next chunk is asked for. */
export interface Line {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly number: number;
  /** False for a last line that no line end follows. */
  readonly isEnded: boolean;
}

const CHUNK_BYTES = 512 * 1024;
const LINE_END = 10;

/** The lines of a file up to `size`, a chunk's worth at a time. Holds one chunk, or one line where that is longer. */
export async function* readLines(
  handle: FileHandle,
  size: number,
): AsyncGenerator<readonly Line[], void, undefined> {
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  let position = 0;
  let number = 0;
  while (position < size) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const wanted = Math.min(buffer.length - filled, size - position);
    const { bytesRead } = await handle.read(buffer, filled, wanted, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    filled += bytesRead;
    const { lines, rest } = split(buffer, filled, number);
    number += lines.length;
    yield lines;
    buffer.copyWithin(0, rest, filled);
    filled -= rest;
  }
  if (filled > 0) yield [{ bytes: buffer, start: 0, end: filled, number: number + 1, isEnded: false }];
}

function split(buffer: Buffer, filled: number, before: number): { lines: readonly Line[]; rest: number } {
  const lines: Line[] = [];
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(LINE_END, start);
    if (end < 0 || end >= filled) return { lines, rest: start };
    lines.push({ bytes: buffer, start, end, number: before + lines.length + 1, isEnded: true });
    start = end + 1;
  }
}

export function textOf({ bytes, start, end }: Line): string {
  return bytes.toString("utf8", start, end);
}
