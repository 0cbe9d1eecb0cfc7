/** Characters of one call that viewers get. */
const MAX_LIVE_CHARACTERS = 262_144;
const MAX_CHUNK_CHARACTERS = 16_384;

/** Passes live output on, in pieces and up to a bound: a flood costs neither the channel nor the host. */
export class LiveOutput {
  readonly #pass: (chunk: string) => void;
  #left = MAX_LIVE_CHARACTERS;

  constructor(pass: (chunk: string) => void) {
    this.#pass = pass;
  }

  push(text: string): void {
    if (this.#left <= 0) return;
    const kept = text.length <= this.#left ? text : text.slice(0, this.#left);
    this.#left -= kept.length;
    for (let start = 0; start < kept.length; start += MAX_CHUNK_CHARACTERS)
      this.#pass(kept.slice(start, start + MAX_CHUNK_CHARACTERS));
    if (this.#left <= 0) this.#pass("\n[further live output is not shown]\n");
  }
}
