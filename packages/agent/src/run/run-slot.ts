import type { ResultEvent } from "../loop/stream-event.js";
import { Run } from "./run.js";
import type { RunHost } from "./run-host.js";

export interface WorkOptions {
  /** Cancels it. */
  readonly signal?: AbortSignal;
}

/** Work on a conversation that is no run. */
export type Work<O extends WorkOptions, R> = (host: RunHost, options: O, signal: AbortSignal) => Promise<R>;

/** The one run, or other work on the conversation, that an agent may have under way, and what its last one said of the time to come. */
export class RunSlot {
  #run: Run | undefined;
  #running: Promise<ResultEvent> | undefined;
  #work: { readonly abort: AbortController; readonly settled: Promise<void> } | undefined;
  #throttledUntil: number | undefined;

  get busy(): boolean {
    return this.#run !== undefined || this.#work !== undefined;
  }

  /** Epoch milliseconds; undefined when the provider said nothing of the kind. */
  get throttledUntil(): number | undefined {
    return this.#throttledUntil;
  }

  /** Settles with what is under way, at once without anything. */
  get settled(): Promise<unknown> {
    return this.#running ?? this.#work?.settled ?? Promise.resolve();
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

  /** Only for a slot that is not busy: work on the conversation that `cancel` ends, and so does the signal. */
  async occupy<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const abort = new AbortController();
    const cancel = (): void => abort.abort();
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    // It tells listeners of itself before it waits for anything: they must find it under way.
    this.#work = { abort, settled };
    try {
      return await work(abort.signal);
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#work = undefined;
      settle();
    }
  }

  cancel(): void {
    this.#run?.cancel();
    this.#work?.abort.abort();
  }
}
