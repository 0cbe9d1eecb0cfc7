const REPLACEMENT = "\ufffd";

/** Bytes of one stream as text, wherever they are cut. Counts what is no UTF-8. */
export class ByteDecoder {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The last two bytes, because a U+FFFD that was really printed may be cut too. */
  #tail: Uint8Array = new Uint8Array();
  #invalid = 0;

  /** How many U+FFFD of the text stand for bytes that are no UTF-8. */
  get invalid(): number {
    return this.#invalid;
  }

  push(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#count(text, bytes);
    this.#tail = lastTwo(this.#tail, bytes);
    return text;
  }

  /** What was still waiting for the rest of a character. */
  end(): string {
    const text = this.#decoder.decode();
    this.#count(text, new Uint8Array());
    return text;
  }

  #count(text: string, bytes: Uint8Array): void {
    if (!text.includes(REPLACEMENT)) return;
    const printed = occurrences(Buffer.concat([this.#tail, bytes]), REPLACEMENT);
    this.#invalid += occurrences(text, REPLACEMENT) - printed;
  }
}

function lastTwo(tail: Uint8Array, bytes: Uint8Array): Uint8Array {
  const end = bytes.slice(-2);
  return end.byteLength === 2 ? end : Buffer.concat([tail, end]).subarray(-2);
}

/** `Buffer` and string search alike; what is found cannot overlap itself. */
function occurrences(text: string | Buffer, needle: string): number {
  let count = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) count += 1;
  return count;
}
