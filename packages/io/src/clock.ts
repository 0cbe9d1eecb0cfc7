/** Time as this package sees it; tests hand in their own. */
export interface Clock {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Epoch milliseconds. */
  readonly epoch: () => number;
  /** Calls `task` once after `ms`; returns what cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
}

/** The longest delay a timer of the platform can hold. */
export const MAX_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  epoch: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
