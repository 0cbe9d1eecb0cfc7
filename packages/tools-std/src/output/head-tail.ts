import { cutEnd, cutStart } from "../text-cut.js";

const HEAD_SHARE = 0.5;

/** Keeps the beginning and the end of a text of any length, in bounded memory; no character is cut in half. */
export class HeadTail {
  readonly #headLength: number;
  readonly #tailLength: number;
  #head = "";
  #headFull = false;
  #tail = "";
  #dropped = 0;

  /** `length`: UTF-16 units that are kept in all. */
  constructor(length: number) {
    this.#headLength = Math.floor(length * HEAD_SHARE);
    this.#tailLength = length - this.#headLength;
  }

  /** UTF-16 units that were left out in the middle. */
  get dropped(): number {
    this.#cutTail();
    return this.#dropped;
  }

  push(text: string): void {
    this.#tail += this.#headFull ? text : this.#fillHead(text);
    // Not at every push: a text that comes in small pieces would be copied with each of them.
    if (this.#tail.length > 2 * this.#tailLength) this.#cutTail();
  }

  #cutTail(): void {
    const tail = cutEnd(this.#tail, this.#tailLength);
    this.#dropped += this.#tail.length - tail.length;
    this.#tail = tail;
  }

  #fillHead(text: string): string {
    const part = cutStart(text, this.#headLength - this.#head.length);
    this.#head += part;
    this.#headFull = part.length < text.length;
    return text.slice(part.length);
  }

  /** The whole text, or both ends with a line between them that says how much is missing. */
  render(): string {
    if (this.dropped === 0) return this.#head + this.#tail;
    const before = this.#head.endsWith("\n") ? "" : "\n";
    return `${this.#head}${before}[${this.#dropped} characters left out here]\n${this.#tail}`;
  }
}
