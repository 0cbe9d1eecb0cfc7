import type { CutLine } from "./line-cutter.js";
import { decodeText, hasBom, wholeCharactersLength } from "./text-decoding.js";

export interface LinePageOptions {
  readonly maxBytes: number;
  readonly maxLines: number;
  /** What stands before a line and a tab; undefined for bare text. */
  readonly label: ((number: number) => string) | undefined;
}

/** What the text does not show as it is in the file. */
export interface TextMarks {
  readonly invalid: boolean;
  readonly nul: boolean;
  readonly bom: boolean;
}

/** Collects lines into one bounded text. */
export class LinePage {
  readonly #options: LinePageOptions;
  readonly #parts: string[] = [];
  #bytes = 0;
  #marks: TextMarks = { invalid: false, nul: false, bom: false };
  first: number | undefined;
  last: number | undefined;
  /** The first line that did not fit. */
  next: number | undefined;
  /** The line that alone is too long, and the byte position, from 0, where it was cut. */
  cut: { readonly number: number; readonly at: number } | undefined;

  /** A line that was asked for did not fit, or not whole. */
  overflowed = false;

  constructor(options: LinePageOptions) {
    this.#options = options;
  }

  get text(): string {
    return this.#parts.join("");
  }

  get marks(): TextMarks {
    return this.#marks;
  }

  get full(): boolean {
    return this.next !== undefined || this.cut !== undefined;
  }

  /** Adds a line, or says in `next` and `cut` why not. */
  add(line: CutLine): void {
    const label = this.#options.label === undefined ? "" : `${this.#options.label(line.number)}\t`;
    const room = this.#options.maxBytes - this.#bytes - label.length;
    const enough = this.#count >= this.#options.maxLines;
    if (enough || (line.length > room && this.first !== undefined)) {
      this.next = line.number;
      this.overflowed = !enough;
      return;
    }
    const whole = line.length <= room && line.head.byteLength === line.length;
    const head = whole ? line.head : firstBytes(line.head, room);
    this.#parts.push(label, this.#decode(line, head));
    this.#bytes += label.length + head.byteLength;
    this.first ??= line.number;
    this.last = line.number;
    if (whole) return;
    this.cut = { number: line.number, at: line.start + head.byteLength };
    this.overflowed = true;
  }

  get #count(): number {
    return this.first === undefined || this.last === undefined ? 0 : this.last - this.first + 1;
  }

  #decode(line: CutLine, head: Uint8Array): string {
    const bom = line.start === 0 && hasBom(head);
    const { text, invalid, nul } = decodeText(bom ? head.subarray(3) : head);
    this.#marks = {
      invalid: this.#marks.invalid || invalid,
      nul: this.#marks.nul || nul,
      bom: this.#marks.bom || bom,
    };
    return text;
  }
}

function firstBytes(head: Uint8Array, room: number): Uint8Array {
  const part = head.subarray(0, Math.max(0, room));
  return part.subarray(0, wholeCharactersLength(part));
}
