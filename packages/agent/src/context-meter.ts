import { type Context, type ContextItem, estimateTokens, TokenCalibration } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";

/** Knows how many tokens a context costs, and looks only at what is new since it last looked. */
export class ContextMeter {
  readonly #calibration = new TokenCalibration();
  #counted = 0;
  #last: ContextItem | undefined;
  #items = 0;
  #descriptors: readonly ToolDescriptor[] = [];
  #tools = 0;

  /** Our estimate for the whole request, corrected by what the provider counted before. */
  measure(context: Context, descriptors: readonly ToolDescriptor[]): number {
    if (
      this.#counted > context.length ||
      (this.#counted > 0 && context.at(this.#counted - 1) !== this.#last)
    ) {
      this.#counted = 0;
      this.#items = 0;
    }
    for (; this.#counted < context.length; this.#counted += 1) {
      this.#last = context.at(this.#counted);
      if (this.#last !== undefined) this.#items += estimateTokens([this.#last]);
    }
    if (descriptors !== this.#descriptors) {
      this.#descriptors = descriptors;
      this.#tools = estimateTokens([], descriptors);
    }
    return this.#calibration.apply(this.#items + this.#tools);
  }

  /** Learns from the provider's own count of the request measured last. */
  learn(measured: number): void {
    this.#calibration.observe({ estimated: this.#items + this.#tools, measured });
  }

  /** Looks at everything again: earlier parts of the context may have changed. */
  reset(): void {
    this.#counted = 0;
    this.#items = 0;
  }
}
