import { IOError } from "../io-error.js";

/** Longest line, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Holds the bytes of an unfinished line between chunks. Bytes are searched once and decoded once,
 * in whole lines, so a chunk border inside a character carries no meaning.
 */
export class LineBuffer {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #maxBytes: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #atStart = true;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The text of all lines that `chunk` completes, each with its newline; empty when it completes none. */
  take(chunk: Uint8Array): string {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last === -1) {
      this.#hold(chunk);
      return "";
    }
    const lines = last + 1 === chunk.length ? chunk : chunk.subarray(0, last + 1);
    const bytes = this.#heldBytes === 0 ? lines : this.#join(lines);
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1));
    return this.#decode(bytes);
  }

  /** The text of the unfinished last line, which ends the buffer's life. */
  rest(): string {
    return this.#heldBytes === 0 ? "" : this.#decode(this.#join(new Uint8Array(0)));
  }

  #hold(bytes: Uint8Array): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > this.#maxBytes) {
      throw new IOError("malformed", `The server sent a line of more than ${this.#maxBytes} bytes.`, {});
    }
    this.#held.push(bytes);
  }

  #join(end: Uint8Array): Uint8Array {
    const joined = new Uint8Array(this.#heldBytes + end.length);
    let at = 0;
    for (const part of this.#held) {
      joined.set(part, at);
      at += part.length;
    }
    joined.set(end, at);
    this.#held = [];
    this.#heldBytes = 0;
    return joined;
  }

  #decode(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes);
    if (!this.#atStart) return text;
    this.#atStart = false;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}
