/**
 * The order in which the calls of one batch start. Pooled calls overlap, at most `concurrency` at a time; any other call
 * waits for everything before it, and everything after it waits for it.
 */
export class BatchSchedule {
  readonly #pooled: readonly boolean[];
  readonly #concurrency: number;
  #cursor = 0;
  #running = 0;
  #barrier = false;

  constructor(pooled: readonly boolean[], concurrency: number) {
    this.#pooled = pooled;
    this.#concurrency = concurrency;
  }

  /** The place of the next call that may start now; undefined: none before a call finishes. */
  next(): number | undefined {
    const pooled = this.#pooled[this.#cursor];
    if (pooled === undefined || this.#barrier) return undefined;
    if (this.#running >= (pooled ? this.#concurrency : 1)) return undefined;
    this.#barrier = !pooled;
    this.#running += 1;
    this.#cursor += 1;
    return this.#cursor - 1;
  }

  /** Says that one started call is over. */
  finish(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#barrier = false;
  }
}
