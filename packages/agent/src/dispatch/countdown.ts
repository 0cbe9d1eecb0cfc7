import { startTimer } from "../long-timer.js";

/** A time limit whose clock can stand still. Times in milliseconds. */
export class Countdown {
  #onExpired: () => void = () => {};
  #stopTimer: () => void = () => {};
  #remainingMs: number;
  #runningSince = 0;
  #pauses = 0;
  #stopped = false;

  constructor(limitMs: number) {
    this.#remainingMs = limitMs;
  }

  /** `onExpired` is called when the time is up; never after `stop`. */
  start(onExpired: () => void): void {
    this.#onExpired = onExpired;
    this.#go();
  }

  /** Epoch milliseconds of the end, as things stand. */
  deadline(): number {
    return (this.#pauses > 0 ? Date.now() : this.#runningSince) + this.#remainingMs;
  }

  /** The clock stands until the promise settles. */
  async pauseFor<T>(waiting: Promise<T>): Promise<T> {
    if (this.#pauses === 0) this.#halt();
    this.#pauses += 1;
    try {
      return await waiting;
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.#stopped) this.#go();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  #go(): void {
    this.#runningSince = Date.now();
    this.#stopTimer = startTimer(this.#remainingMs, this.#onExpired);
  }

  #halt(): void {
    this.#stopTimer();
    this.#remainingMs = Math.max(0, this.#remainingMs - (Date.now() - this.#runningSince));
  }
}
