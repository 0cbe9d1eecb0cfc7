type Listener = (payload: never) => unknown;

/** Listeners of one Env, by event. One that throws or rejects never reaches the emitter or the other listeners. */
export class Listeners {
  readonly #entries = new Map<number, { readonly event: symbol; readonly listener: Listener }>();
  readonly #failed: (event: symbol, error: unknown) => void;
  #handle = 0;

  constructor(failed: (event: symbol, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Gives a positive integer for `off`. */
  on(event: symbol, listener: Listener): number {
    this.#handle += 1;
    this.#entries.set(this.#handle, { event, listener });
    return this.#handle;
  }

  off(handle: number): boolean {
    return this.#entries.delete(handle);
  }

  emit(event: symbol, payload: unknown): void {
    for (const [handle, entry] of [...this.#entries]) {
      if (entry.event !== event || !this.#entries.has(handle)) continue;
      try {
        // The event's key was typed with this payload where the listener was given.
        const result = entry.listener(payload as never);
        if (result instanceof Promise) result.catch((error: unknown) => this.#failed(event, error));
      } catch (error) {
        this.#failed(event, error);
      }
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}
