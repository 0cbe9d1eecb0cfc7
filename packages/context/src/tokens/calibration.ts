/** One request's token count: ours before it was sent, and the provider's own. */
export interface TokenSample {
  readonly estimated: number;
  readonly measured: number;
}

const MIN_RATIO = 0.5;
const MAX_RATIO = 3;
/** Below this a chat template outweighs the text. */
const MIN_ESTIMATED = 32;
const WINDOW = 5;
/** The context grew by a fifth and the count did not: the server cut it. */
const GROWTH = 1.2;

/** Learns, for one model, how the provider's token counts relate to our estimates. Bounded, and the median of the last few, so that no single count moves it far. */
export class TokenCalibration {
  #ratios: number[] = [];
  #last: TokenSample | undefined;
  #ratio = 1;

  /** Measured tokens for one estimated token; 1 until something was observed, then between 0.5 and 3. */
  get ratio(): number {
    return this.#ratio;
  }

  /** Takes a sample, or returns false: a count far below the estimate, or one that did not grow with it, is a cut prompt and no proof of room. */
  observe(sample: TokenSample): boolean {
    if (!this.#isProof(sample)) return false;
    this.#last = sample;
    this.#ratios.push(Math.min(MAX_RATIO, sample.measured / sample.estimated));
    if (this.#ratios.length > WINDOW) this.#ratios.shift();
    const sorted = [...this.#ratios].sort((a, b) => a - b);
    // Of an even number the upper one: the estimate stays on the safe side.
    this.#ratio = sorted[Math.floor(sorted.length / 2)] ?? 1;
    return true;
  }

  /** The estimate, corrected and rounded up. */
  apply(estimated: number): number {
    return Math.ceil(estimated * this.#ratio);
  }

  #isProof({ estimated, measured }: TokenSample): boolean {
    if (!Number.isFinite(estimated) || !Number.isFinite(measured)) return false;
    if (estimated < MIN_ESTIMATED || measured < estimated * MIN_RATIO) return false;
    const last = this.#last;
    return !(last && estimated > last.estimated * GROWTH && measured <= last.measured);
  }
}
