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

  /**
   * Hands on the text of all lines that `chunk` completes, each with its newline, in at most two pieces: the line that
   * was held, then the others, uncopied. Answers true as soon as `onLines` does.
   */
  take(chunk: Uint8Array, onLines: (text: string) => boolean): boolean {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    let from = 0;
    if (end > 0 && this.#heldBytes > 0) {
      from = chunk.indexOf(NEWLINE) + 1;
      if (onLines(this.#decode(this.#join(chunk.subarray(0, from))))) return true;
    }
    if (from < end && onLines(this.#decode(chunk.subarray(from, end)))) return true;
    if (end < chunk.length) this.#hold(chunk.subarray(end));
    return false;
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
