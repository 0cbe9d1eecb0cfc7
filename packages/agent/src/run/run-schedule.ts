import { parseDuration } from "@ashlar/env";
import type { AgentCreateOptions, RunOptions } from "../agent-options.js";
import { NEVER_BEGAN } from "../loop/run-end.js";
import type { ResultEvent } from "../loop/stream-event.js";
import { errorText } from "../loop/tool-value.js";
import { SYSTEM_RUNTIME } from "../runtime.js";
import type { AgentRuntime, RunHost } from "./run-host.js";
import { RunSlot } from "./run-slot.js";

export interface RunScheduleOptions {
  readonly options: Pick<AgentCreateOptions, "resume" | "runtime">;
  readonly host: (options: RunOptions) => RunHost;
  /** Something new may begin. */
  readonly isOpen: () => boolean;
  readonly notice: (message: string) => void;
}

/** When an agent runs: at once, or later. At most one run is scheduled; any new run takes its place. */
export class RunSchedule {
  /** What is under way now. */
  readonly slot: RunSlot = new RunSlot();
  readonly #options: RunScheduleOptions;
  #next: { readonly at: number; readonly abort: AbortController } | undefined;

  constructor(options: RunScheduleOptions) {
    this.#options = options;
  }

  /** Epoch milliseconds at which the scheduled run begins; undefined without one. */
  get at(): number | undefined {
    return this.#next?.at;
  }

  /** Epoch milliseconds until which the provider wants no request; undefined once that time is over. */
  get throttledUntil(): number | undefined {
    const until = this.slot.throttledUntil;
    return until !== undefined && until > this.#runtime.now() ? until : undefined;
  }

  /** Milliseconds until the provider takes requests again. */
  get untilReady(): number {
    return Math.max(0, (this.throttledUntil ?? 0) - this.#runtime.now());
  }

  /** Only for a slot that is not busy. A run that is cancelled before it begins gives no events, and ends as cancelled. */
  async run(options: RunOptions): Promise<ResultEvent> {
    const { after, ...now } = options;
    const delayMs = after === undefined || after === 0 ? 0 : parseDuration(after, "after");
    this.cancel();
    const { host, isOpen, options: agent } = this.#options;
    if (delayMs > 0) {
      const next = { at: this.#runtime.now() + delayMs, abort: new AbortController() };
      this.#next = next;
      await this.#wait(delayMs, next.abort, options.signal);
      while (this.slot.busy && !next.abort.signal.aborted) await this.slot.settled;
      // Whatever took its place has cancelled it, to the last moment: from here on nothing is awaited.
      if (next.abort.signal.aborted || !isOpen()) return NEVER_BEGAN;
      this.#next = undefined;
    }
    const result = await this.slot.execute(host(now), options.signal);
    if (agent.resume === true && result.throttledUntil !== undefined)
      this.#resume(now, result.throttledUntil);
    return result;
  }

  /** The scheduled run does not begin. */
  cancel(): void {
    this.#next?.abort.abort();
    this.#next = undefined;
  }

  get #runtime(): AgentRuntime {
    return { ...SYSTEM_RUNTIME, ...this.#options.options.runtime };
  }

  /** Until the time has come, or until it was cancelled. */
  async #wait(delayMs: number, abort: AbortController, signal: AbortSignal | undefined): Promise<void> {
    const over = abort.signal;
    const cancel = (): void => this.#drop(abort);
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    await this.#runtime.wait(delayMs, over);
    signal?.removeEventListener("abort", cancel);
  }

  #drop(abort: AbortController): void {
    abort.abort();
    if (this.#next?.abort === abort) this.#next = undefined;
  }

  #resume(options: RunOptions, until: number): void {
    const { isOpen, notice } = this.#options;
    if (!isOpen()) return;
    const after = Math.max(1, until - this.#runtime.now());
    this.run({ ...options, after }).catch((error: unknown) => {
      notice(`The run that was put off did not begin: ${errorText(error)}`);
    });
  }
}
