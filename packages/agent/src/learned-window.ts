import type { ErrorEvent } from "@ashlar/context";

/** No model has a smaller window; a smaller number was something else. */
const SMALLEST_WINDOW = 512;

/** The window of a model as a refusal told it: servers that tell nothing before do so when a request does not fit. */
export class LearnedWindow {
  #tokens: number | undefined;

  /** The smaller of what is known and what was learned. */
  within(known: number | undefined): number | undefined {
    if (this.#tokens === undefined || known === undefined) return known ?? this.#tokens;
    return Math.min(known, this.#tokens);
  }

  /** Takes the window that a refusal names, unless the request of about `tokens` was not larger than it: then it is no window. */
  learn({ window, needed = 0 }: NonNullable<ErrorEvent["contextOverflow"]>, tokens: number): void {
    if (window === undefined || window < SMALLEST_WINDOW) return;
    if (window < Math.max(needed, tokens * 2)) this.#tokens = window;
  }
}
