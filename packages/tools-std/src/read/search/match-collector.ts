import { shownName } from "../../guard/shown-name.js";
import { cutStart } from "../../text-cut.js";

export interface CollectorOptions {
  /** The first match that is shown, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly before: number;
  readonly after: number;
  readonly numbers: boolean;
  /** A line with the file's name above its matches. */
  readonly headings: boolean;
  readonly maxBytes: number;
  /** Characters of one line that are shown. */
  readonly maxLineLength: number;
}

interface Row {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Takes the lines of one file after the other and keeps the matches with the lines around them, bounded. */
export class MatchCollector {
  readonly #options: CollectorOptions;
  readonly #parts: string[] = [];
  #bytes = 0;
  #file = "";
  #headed = false;
  #before: Row[] = [];
  #afterLeft = 0;
  #lastRow = 0;
  #seen = 0;
  #files = 0;
  #shown = 0;
  #more = false;
  #overflowed = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  get text(): string {
    return this.#parts.join("");
  }

  get shown(): number {
    return this.#shown;
  }

  get files(): number {
    return this.#files;
  }

  /** Matches, those before `offset` included. */
  get seen(): number {
    return this.#seen;
  }

  /** There is a further match that is not shown; nothing more is taken. */
  get more(): boolean {
    return this.#more;
  }

  /** A match, or a line around one, did not fit. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  beginFile(shown: string): void {
    this.#file = shown;
    this.#headed = false;
    this.#before = [];
    this.#afterLeft = 0;
    this.#lastRow = 0;
  }

  line(number: number, text: string, isMatch: boolean): void {
    if (this.#more) return;
    const row = { number, text, isMatch };
    if (isMatch) this.#match(row);
    else if (this.#afterLeft > 0) this.#context(row);
    else this.#remember(row);
  }

  #match(row: Row): void {
    this.#seen += 1;
    if (this.#seen < this.#options.offset) {
      this.#remember(row);
      return;
    }
    const group =
      this.#opening(row) + this.#before.map((before) => this.#rowText(before)).join("") + this.#rowText(row);
    const enough = this.#shown >= this.#options.limit;
    if (enough || (this.#shown > 0 && !this.#fits(group))) {
      this.#seen -= 1;
      this.#more = true;
      this.#overflowed ||= !enough;
      return;
    }
    this.#overflowed ||= !this.#fits(group);
    // The first match is always shown, if need be without what stands before it.
    this.#push(this.#fits(group) ? group : this.#opening(row) + this.#rowText(row));
    if (!this.#headed) this.#files += 1;
    this.#headed = true;
    this.#shown += 1;
    this.#before = [];
    this.#lastRow = row.number;
    this.#afterLeft = this.#options.after;
  }

  #context(row: Row): void {
    this.#afterLeft -= 1;
    const text = this.#rowText(row);
    if (!this.#fits(text)) {
      this.#afterLeft = 0;
      this.#overflowed = true;
      return;
    }
    this.#push(text);
    this.#lastRow = row.number;
  }

  #remember(row: Row): void {
    if (this.#options.before === 0) return;
    this.#before.push(row);
    if (this.#before.length > this.#options.before) this.#before.shift();
  }

  /** What stands before a group: the file's name, or a mark when lines in between are left out. */
  #opening(row: Row): string {
    const { headings, before, after } = this.#options;
    if (!this.#headed) return headings ? `${this.#shown > 0 ? "\n" : ""}${shownName(this.#file)}\n` : "";
    const first = this.#before[0]?.number ?? row.number;
    return before + after > 0 && first > this.#lastRow + 1 ? "--\n" : "";
  }

  #rowText({ number, text, isMatch }: Row): string {
    const { maxLineLength, numbers } = this.#options;
    const shown =
      text.length > maxLineLength ? `${cutStart(text, maxLineLength)}… (${text.length} characters)` : text;
    return numbers ? `${number}${isMatch ? ":" : "-"} ${shown}\n` : `${shown}\n`;
  }

  #fits(text: string): boolean {
    return this.#bytes + Buffer.byteLength(text) <= this.#options.maxBytes;
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#bytes += Buffer.byteLength(text);
  }
}
