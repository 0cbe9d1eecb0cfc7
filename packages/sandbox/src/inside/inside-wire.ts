import { readSync, writeSync } from "node:fs";
import { DESCRIPTOR } from "../descriptor.js";
import { encodeFrame } from "../frames/frame.js";

const NEWLINE = 10;
const CHUNK_BYTES = 64 * 1024;

/** Writes one line and returns when the host's side has taken it in, so that an exit loses nothing. */
export function writeLine(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(DESCRIPTOR.fromInside, bytes, at);
}

export const tell = (frame: object): void => writeLine(encodeFrame(frame));

/** Waits for the host's first line; undefined if the host is gone. The host sends no second one before an answer. */
export function readFirstLine(): string | undefined {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const length = readSync(DESCRIPTOR.toInside, chunk);
    if (length === 0) return undefined;
    chunks.push(chunk.subarray(0, length));
    if (chunk[length - 1] === NEWLINE) return new TextDecoder().decode(Buffer.concat(chunks));
  }
}

/** Waits, without using the processor, until the host ends the sandbox or is gone. */
export function waitForTheEnd(): never {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let length = 1;
  while (length > 0) length = readSync(DESCRIPTOR.toInside, chunk);
  process.exit(0);
}
