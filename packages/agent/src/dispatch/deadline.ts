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
  const { signal, onTimeout } = options;
  if (signal.aborted) return { type: "cancelled" };
  const abort = new AbortController();
  const clock = new Countdown(options.timeoutMs);
  const cancel = watchAbort(signal);
  const limit: WorkLimit = {
    signal: abort.signal,
    deadline: () => clock.deadline(),
    pauseFor: (waiting) => clock.pauseFor(waiting),
  };
  try {
    const working = leaveBehind(options.work(limit).then((value) => ({ type: "value", value }) as const));
    const expired = clock.expired.then(() => ({ type: "timeout", value: undefined }) as const);
    const first = await Promise.race([working, cancel.aborted, expired]);
    if (first.type === "value") return first;
    abort.abort(signal.reason ?? new DOMException("The time of the call is up.", "TimeoutError"));
    if (first.type === "cancelled" || onTimeout === undefined) return first;
    const lastWord = leaveBehind(onTimeout(limit));
    return await lastWordWithin(lastWord, options.graceMs, cancel.aborted);
  } finally {
    clock.stop();
    cancel.release();
  }
}

interface Cancelled {
  readonly type: "cancelled";
}

async function lastWordWithin<T>(
  lastWord: Promise<T | undefined>,
  graceMs: number,
  aborted: Promise<Cancelled>,
): Promise<DeadlineResult<T>> {
  const grace = new Countdown(graceMs);
  try {
    const word = lastWord.then((value) => ({ type: "timeout", value }) as const);
    const silence = grace.expired.then(() => ({ type: "timeout", value: undefined }) as const);
    return await Promise.race([word, silence, aborted]);
  } finally {
    grace.stop();
  }
}

/** A promise nobody may wait for in the end: its late rejection is nobody's business. */
function leaveBehind<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function watchAbort(signal: AbortSignal): {
  readonly aborted: Promise<Cancelled>;
  readonly release: () => void;
} {
  let release = (): void => {};
  const aborted = new Promise<Cancelled>((resolve) => {
    const listener = (): void => resolve({ type: "cancelled" });
    signal.addEventListener("abort", listener, { once: true });
    release = () => signal.removeEventListener("abort", listener);
  });
  return { aborted, release };
}
