import { parseDuration } from "@ashlar/env";
import type { AgentCreateOptions, RunOptions } from "../agent-options.js";
import { NEVER_BEGAN } from "../loop/run-end.js";
import type { ResultEvent } from "../loop/stream-event.js";
import { errorText } from "../loop/tool-value.js";
import { SYSTEM_RUNTIME } from "../runtime.js";
import type { AgentRuntime, RunHost } from "./run-host.js";
import type { RunSlot } from "./run-slot.js";

export interface RunScheduleOptions {
  readonly slot: RunSlot;
  readonly options: Pick<AgentCreateOptions, "resume" | "runtime">;
  readonly host: (options: RunOptions) => RunHost;
  /** Something new may begin. */
  readonly isOpen: () => boolean;
  readonly notice: (message: string) => void;
}

/** When an agent runs: at once, or later. At most one run is scheduled; any new run takes its place. */
export class RunSchedule {
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
    const until = this.#options.slot.throttledUntil;
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
    const { slot, host, options: agent } = this.#options;
    if (delayMs > 0 && !(await this.#wait(delayMs, options.signal))) return NEVER_BEGAN;
    const result = await slot.execute(host(now), options.signal);
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

  /** False when it was cancelled first. */
  async #wait(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { slot, isOpen } = this.#options;
    const { now, wait } = this.#runtime;
    const next = { at: now() + delayMs, abort: new AbortController() };
    const over = next.abort.signal;
    const cancel = (): void => next.abort.abort();
    this.#next = next;
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      await wait(delayMs, over);
      // The time may come while something else works on the conversation.
      while (slot.busy && !over.aborted) await slot.settled;
      return !over.aborted && isOpen();
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (this.#next === next) this.#next = undefined;
    }
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
