const NEWLINE = 0x0a;

/** One line of a file. */
export interface CutLine {
  readonly number: number;
  /** Byte position in the file, from 0. */
  readonly start: number;
  /** Bytes with the newline, of a very long line only the first. */
  readonly head: Uint8Array;
  /** Bytes in the file, newline included. */
  readonly length: number;
}

export interface LineCutterOptions {
  /** Number and byte position of the first line. */
  readonly number: number;
  readonly start: number;
  /** Bytes that are kept of one line. */
  readonly maxLineBytes: number;
}

/** Cuts chunks of a file into lines at 0x0A, whatever the chunks' borders. */
export class LineCutter {
  readonly #maxLineBytes: number;
  #number: number;
  #start: number;
  #length = 0;
  #kept: Uint8Array[] = [];
  #keptLength = 0;

  constructor({ number, start, maxLineBytes }: LineCutterOptions) {
    this.#number = number;
    this.#start = start;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#length;
  }

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): readonly CutLine[] {
    const lines: CutLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end + 1));
      lines.push(this.#finish());
      from = end + 1;
    }
    if (from < chunk.byteLength) this.#keep(chunk.subarray(from));
    return lines;
  }

  /** What is left at the end: the last line, when it has no newline. */
  end(): readonly CutLine[] {
    return this.#length === 0 ? [] : [this.#finish()];
  }

  #keep(part: Uint8Array): void {
    this.#length += part.byteLength;
    const room = this.#maxLineBytes - this.#keptLength;
    if (room <= 0) return;
    this.#kept.push(part.subarray(0, room));
    this.#keptLength += Math.min(room, part.byteLength);
  }

  #finish(): CutLine {
    const line = { number: this.#number, start: this.#start, head: joined(this.#kept), length: this.#length };
    this.#number += 1;
    this.#start += this.#length;
    this.#length = 0;
    this.#kept = [];
    this.#keptLength = 0;
    return line;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first, ...more] = parts;
  if (first !== undefined && more.length === 0) return first;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** How many newlines a chunk has. */
export function countNewlines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
