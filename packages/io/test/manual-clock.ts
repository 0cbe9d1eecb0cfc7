import type { Clock } from "../src/clock.js";

/** Time that moves only when a test says so. */
export class ManualClock implements Clock {
  #now = 0;
  #timers = new Set<{ readonly at: number; readonly task: () => void }>();
  /** Timers that were ever set. */
  set = 0;

  readonly now = (): number => this.#now;
  readonly epoch = (): number => this.#now;
  readonly after = (ms: number, task: () => void): (() => void) => {
    const timer = { at: this.#now + ms, task };
    this.#timers.add(timer);
    this.set++;
    return () => this.#timers.delete(timer);
  };

  get pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = due.at;
      due.task();
    }
    this.#now = until;
  }
}
