import type { Clock } from "../clock.js";
import type { IOError } from "../io-error.js";
import { type LimitName, type Limits, limitError } from "../timeouts.js";

export interface WatchdogOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly selector: string;
  readonly onExpire: (error: IOError) => void;
  /** While it answers true, silence is no failure: the provider runs a call of its own. */
  readonly isBusy: () => boolean;
}

type Wait = Extract<LimitName, "firstEventMs" | "idleMs">;

/**
 * The time limits of one request, on one timer. A sign of life only stores the time;
 * the timer looks when it fires and sets itself again for what is left.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #start: number;
  #wait: Wait = "firstEventMs";
  #since: number;
  #paused = false;
  #due = Number.POSITIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#start = options.clock.now();
    this.#since = this.#start;
    this.#schedule();
  }

  /** The model sent an event. */
  progress(): void {
    this.#since = this.#options.clock.now();
    if (this.#wait === "idleMs") return;
    this.#wait = "idleMs";
    this.#schedule();
  }

  /** The reader of the events is slow: only the overall limit runs. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#since = this.#options.clock.now();
    this.#schedule();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#due = Number.POSITIVE_INFINITY;
  }

  #overallDeadline(): number {
    return after(this.#start, this.#options.limits.overallMs);
  }

  #waitDeadline(): number {
    return this.#paused ? Number.POSITIVE_INFINITY : after(this.#since, this.#options.limits[this.#wait]);
  }

  /** Makes sure that the timer fires no later than the next deadline. */
  #schedule(): void {
    const deadline = Math.min(this.#overallDeadline(), this.#waitDeadline());
    if (deadline >= this.#due) return;
    this.#cancelTimer?.();
    this.#due = deadline;
    this.#cancelTimer = this.#options.clock.after(deadline - this.#options.clock.now(), this.#look);
  }

  readonly #look = (): void => {
    this.stop();
    const expired = this.#expired(this.#options.clock.now());
    if (expired === undefined) this.#schedule();
    else this.#options.onExpire(limitError(expired, this.#options.limits[expired], this.#options.selector));
  };

  #expired(now: number): "overallMs" | Wait | undefined {
    if (now >= this.#overallDeadline()) return "overallMs";
    if (now < this.#waitDeadline()) return undefined;
    if (!this.#options.isBusy()) return this.#wait;
    this.#since = now;
    return undefined;
  }
}

function after(start: number, ms: number): number {
  return ms === 0 ? Number.POSITIVE_INFINITY : start + ms;
}
