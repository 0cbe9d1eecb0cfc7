import type { IOError } from "../io-error.js";

/** The one way a running request is stopped from outside: cancel, close or a limit that passed. The first reason stays. */
export class Interruption {
  readonly #controller = new AbortController();
  #reason: IOError | undefined;
  #reject: ((reason: IOError) => void) | undefined;

  /** Aborts with the reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): IOError | undefined {
    return this.#reason;
  }

  interrupt(reason: IOError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }

  /**
   * Settles as `work` does, or rejects with the reason at once: nothing a provider does can hold a request up.
   * One wait at a time. Cheaper than `Promise.race`, which keeps a reaction for every chunk.
   */
  wait<T>(work: T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      Promise.resolve(work).then(resolve, reject);
      if (this.#reason !== undefined) reject(this.#reason);
    });
  }
}
