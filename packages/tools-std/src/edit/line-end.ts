export type LineEnd = "\n" | "\r\n";

/** A part of a file, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Tells the line end that new lines at a place take. Places are asked for in the order of the file. */
export class LineEnds {
  readonly #raw: Buffer;
  readonly #last: number;
  /** The newest line end that was looked up; it serves all places before it. */
  #next = -1;

  constructor(raw: Buffer) {
    this.#raw = raw;
    this.#last = raw.lastIndexOf("\n");
  }

  /**
   * That of the text they replace, else of the text it was found in, else of the line that ends in, else of the line
   * before. Undefined in a file without line ends.
   */
  at(replaced: ByteRange, found: ByteRange): LineEnd | undefined {
    const own =
      dominant(this.#raw.subarray(replaced.start, replaced.end)) ??
      dominant(this.#raw.subarray(found.start, found.end));
    return own ?? lineEndBefore(this.#raw, this.#nearest(replaced.end));
  }

  #nearest(position: number): number {
    if (position > this.#last) return this.#last;
    if (this.#next < position) this.#next = this.#raw.indexOf("\n", position);
    return this.#next;
  }
}

/** The line end that stands there most; the first on a tie. */
export function dominant(bytes: Buffer): LineEnd | undefined {
  let crlf = 0;
  let lf = 0;
  let first: LineEnd | undefined;
  for (let at = bytes.indexOf("\n"); at >= 0; at = bytes.indexOf("\n", at + 1)) {
    const end = lineEndBefore(bytes, at);
    first ??= end;
    if (end === "\r\n") crlf += 1;
    else lf += 1;
  }
  if (crlf === lf) return first;
  return crlf > lf ? "\r\n" : "\n";
}

function lineEndBefore(bytes: Buffer, newline: number): LineEnd | undefined {
  if (newline < 0) return undefined;
  return newline > 0 && bytes[newline - 1] === 0x0d ? "\r\n" : "\n";
}
