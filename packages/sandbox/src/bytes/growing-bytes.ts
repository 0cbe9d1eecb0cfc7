const FIRST_BYTES = 1024;
/** A larger buffer is let go when it is cleared: one long line must not hold memory for ever. */
const KEPT_BYTES = 64 * 1024;

/** Bytes that are appended to, in one buffer that doubles. */
export class GrowingBytes {
  #buffer = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2, FIRST_BYTES));
      larger.set(this.view());
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Valid until the next change. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }
}
