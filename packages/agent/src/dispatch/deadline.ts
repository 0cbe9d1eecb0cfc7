import { Countdown } from "./countdown.js";

/** How a guarded piece of work came out. A rejection of the work itself is passed on. */
export type DeadlineResult<T> =
  | { readonly type: "value"; readonly value: T }
  /** `value`: the last word that `onTimeout` had. */
  | { readonly type: "timeout"; readonly value: T | undefined }
  | { readonly type: "cancelled" };

/** What the work sees of its limit. */
export interface WorkLimit {
  /** Fires when the work is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly deadline: () => number;
  /** The clock stands until the promise settles, such as while a person answers. */
  readonly pauseFor: <R>(waiting: Promise<R>) => Promise<R>;
}

export interface DeadlineOptions<T> {
  readonly work: (limit: WorkLimit) => Promise<T>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Asked for a last word after the time is up; undefined is none. */
  readonly onTimeout: ((limit: WorkLimit) => Promise<T | undefined>) | undefined;
  readonly graceMs: number;
}

/** Runs `work` until it settles, its time is up or `signal` fires. Work that ignores its signal is left behind. */
export async function runWithDeadline<T>(options: DeadlineOptions<T>): Promise<DeadlineResult<T>> {
  const { work, signal, onTimeout } = options;
  if (signal.aborted) return { type: "cancelled" };
  const abort = new AbortController();
  const clock = new Countdown(options.timeoutMs);
  const limit: WorkLimit = {
    signal: abort.signal,
    deadline: () => clock.deadline(),
    pauseFor: (waiting) => clock.pauseFor(waiting),
  };
  const first = await firstOf(() => work(limit), clock, signal);
  if (first.type === "value") return first;
  abort.abort(signal.reason ?? new DOMException("The time of the call is up.", "TimeoutError"));
  if (first.type === "cancelled" || onTimeout === undefined) return first;
  const last = await firstOf(() => onTimeout(limit), new Countdown(options.graceMs), signal);
  return last.type === "value" ? { type: "timeout", value: last.value } : last;
}

/** What comes first; what the work does after that is nobody's business. */
async function firstOf<T>(
  work: () => Promise<T>,
  clock: Countdown,
  signal: AbortSignal,
): Promise<DeadlineResult<T>> {
  let release = (): void => {};
  try {
    return await new Promise((resolve, reject) => {
      const cancel = (): void => resolve({ type: "cancelled" });
      release = () => signal.removeEventListener("abort", cancel);
      signal.addEventListener("abort", cancel, { once: true });
      if (signal.aborted) cancel();
      clock.start(() => resolve({ type: "timeout", value: undefined }));
      work().then((value) => resolve({ type: "value", value }), reject);
    });
  } finally {
    clock.stop();
    release();
  }
}
