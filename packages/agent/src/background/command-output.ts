import type { BackgroundOutput } from "@ashlar/context/tool";

/** Bytes kept of each command, the last ones. */
export const KEPT_OUTPUT_BYTES = 256 * 1024;

/** What a command printed, both streams as they came: a ring that forgets the oldest bytes. */
export class CommandOutput {
  #ring = new Uint8Array(0);
  /** All bytes ever printed. */
  #total = 0;

  get total(): number {
    return this.#total;
  }

  push(bytes: Uint8Array): void {
    if (this.#ring.length === 0) this.#ring = new Uint8Array(KEPT_OUTPUT_BYTES);
    const kept = bytes.subarray(Math.max(0, bytes.length - KEPT_OUTPUT_BYTES));
    const at = (this.#total + bytes.length - kept.length) % KEPT_OUTPUT_BYTES;
    const first = kept.subarray(0, KEPT_OUTPUT_BYTES - at);
    this.#ring.set(first, at);
    this.#ring.set(kept.subarray(first.length), 0);
    this.#total += bytes.length;
  }

  /** The text from byte `from` on. With `more`, a character whose end may still come is left for the next time. */
  from(from: number, more: boolean): BackgroundOutput {
    const wanted = Math.min(Math.max(0, Math.trunc(from)), this.#total);
    const oldest = Math.max(wanted, this.#total - KEPT_OUTPUT_BYTES);
    const bytes = this.#slice(oldest);
    const start = oldest > wanted ? leadingRest(bytes) : 0;
    const end = more ? bytes.length - trailingPart(bytes) : bytes.length;
    return {
      text: new TextDecoder().decode(bytes.subarray(start, Math.max(start, end))),
      dropped: oldest + start - wanted,
      next: oldest + Math.max(start, end),
    };
  }

  #slice(start: number): Uint8Array {
    const length = this.#total - start;
    const at = start % KEPT_OUTPUT_BYTES;
    const slice = new Uint8Array(length);
    const first = this.#ring.subarray(at, Math.min(at + length, this.#ring.length));
    slice.set(first, 0);
    slice.set(this.#ring.subarray(0, length - first.length), first.length);
    return slice;
  }
}

/** Bytes at the start that belong to a character which is gone. */
function leadingRest(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && isContinuation(bytes[count])) count += 1;
  return count;
}

/** Bytes at the end of a character that is not whole. */
function trailingPart(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return byte >= 0xc0 && back < characterBytes(byte) ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function characterBytes(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}
