import type { FrameReader, OnFrame } from "../../src/frames/frame-reader.js";

/** Frames a reader makes of these pieces, null being the end. Stops pushing where the reader wants no more. */
export function framesOf(
  create: (onFrame: OnFrame) => FrameReader,
  pieces: readonly Uint8Array[],
): unknown[] {
  const frames: unknown[] = [];
  const reader = create((frame) => {
    frames.push(frame);
    return false;
  });
  for (const piece of pieces) if (reader.push(piece)) return frames;
  reader.end();
  return frames;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const oneByOne = (bytes: Uint8Array): Uint8Array[] => [...bytes].map((byte) => Uint8Array.of(byte));

/** The bytes cut at these places, which may be in any order and repeat. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places)].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const starts = [0, ...sorted];
  return starts.map((start, index) => bytes.slice(start, starts[index + 1] ?? bytes.length));
}
