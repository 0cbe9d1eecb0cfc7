import type { OpenFile } from "@ashlar/context/tool";
import type { ReadMeter } from "../read-meter.js";

const CHUNK_BYTES = 256 * 1024;

export interface Chunk {
  readonly bytes: Uint8Array;
  /** Byte position in the file, from 0. */
  readonly at: number;
}

/** The file from `start` on, until its end or until the meter has no more; a file that shrinks simply ends. */
export async function* chunksOf(file: OpenFile, start: number, meter: ReadMeter): AsyncGenerator<Chunk> {
  for (let at = start; ; ) {
    const granted = meter.takeBytes(CHUNK_BYTES);
    if (granted === 0) return;
    const buffer = new Uint8Array(granted);
    const count = await file.read(buffer, at);
    meter.returnBytes(granted - count);
    if (count === 0) return;
    yield { bytes: buffer.subarray(0, count), at };
    at += count;
  }
}

/** Exactly these bytes, or fewer at the end of the file. */
export async function readBytes(file: OpenFile, start: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(buffer.subarray(filled), start + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
