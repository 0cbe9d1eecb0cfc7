import type { ResultEvent } from "../loop/stream-event.js";
import { Run } from "./run.js";
import type { RunHost } from "./run-host.js";

/** The one run that an agent may have under way, and what its last one said of the time to come. */
export class RunSlot {
  #run: Run | undefined;
  #running: Promise<ResultEvent> | undefined;
  #throttledUntil: number | undefined;

  get busy(): boolean {
    return this.#run !== undefined;
  }

  /** Epoch milliseconds; undefined when the provider said nothing of the kind. */
  get throttledUntil(): number | undefined {
    return this.#throttledUntil;
  }

  /** Settles with the run under way, at once without one. */
  get settled(): Promise<ResultEvent | undefined> {
    return this.#running ?? Promise.resolve(undefined);
  }

  /** Only for a slot that is not busy. Resolves with the last event of the run. */
  async execute(host: RunHost, signal: AbortSignal | undefined): Promise<ResultEvent> {
    const run = new Run(host);
    this.#run = run;
    this.#throttledUntil = undefined;
    const cancel = (): void => run.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    this.#running = run.execute();
    // The first step was taken: from here on a cancel has something to abort.
    if (signal?.aborted === true) run.cancel();
    try {
      const result = await this.#running;
      this.#throttledUntil = result.throttledUntil;
      return result;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#run = undefined;
      this.#running = undefined;
    }
  }

  cancel(): void {
    this.#run?.cancel();
  }
}
