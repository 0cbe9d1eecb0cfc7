/** What this needs of the process. */
export interface FinishHost {
  readonly once: (event: "exit" | FinishSignal, listener: () => void) => unknown;
  readonly off: (event: "exit" | FinishSignal, listener: () => void) => unknown;
  readonly exit: (code: number) => void;
  /** Tells people, at once, of a cleanup that failed on the way to `exit`. */
  readonly report: (error: unknown) => void;
}

export type FinishSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

const SIGNALS: readonly FinishSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const CANCELLED_EXIT = 130;
/** Milliseconds that closing may take after a signal. */
const CLOSING_LIMIT_MS = 5_000;

/** What is to be done at the end of a process. States of its signals: not armed, armed, ending. */
export class FinishList {
  readonly #host: FinishHost;
  readonly #cleanups = new Set<() => void>();
  readonly #closings = new Set<() => Promise<void>>();
  /** Those who armed it and did not take that back. */
  readonly #armed = new Set<object>();
  #isListening = false;
  #signals: "off" | "armed" | "ending" = "off";
  readonly #onExit = (): void => this.run();
  readonly #onSignal = (): void => {
    // The listeners are gone, so that a second signal ends the process at once.
    this.#release();
    this.#signals = "ending";
    void this.#closeAll().then(() => {
      try {
        this.run();
      } catch (error) {
        this.#host.report(error);
      }
      this.#host.exit(CANCELLED_EXIT);
    });
  };

  constructor(host: FinishHost) {
    this.#host = host;
  }

  add(cleanup: () => void): () => void {
    // The same function may be registered twice; each stands for itself.
    const own = (): void => cleanup();
    this.#cleanups.add(own);
    if (!this.#isListening) {
      this.#isListening = true;
      this.#host.once("exit", this.#onExit);
    }
    return () => {
      this.#cleanups.delete(own);
      if (this.#cleanups.size === 0) this.#stopListening();
    };
  }

  addClosing(close: () => Promise<void>): () => void {
    this.#closings.add(close);
    return () => {
      this.#closings.delete(close);
    };
  }

  /** Newest first. Throws what the first failing cleanup threw, after all of them were done. */
  run(): void {
    const due = [...this.#cleanups].reverse();
    this.#cleanups.clear();
    this.#stopListening();
    const failures: unknown[] = [];
    for (const cleanup of due) {
      try {
        cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Others may have armed it, too: each takes back its own. */
  arm(): () => void {
    const own = {};
    this.#armed.add(own);
    if (this.#signals === "off") {
      this.#signals = "armed";
      for (const signal of SIGNALS) this.#host.once(signal, this.#onSignal);
    }
    return () => {
      this.#armed.delete(own);
      if (this.#signals === "armed" && this.#armed.size === 0) this.#release();
    };
  }

  async #closeAll(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSING_LIMIT_MS);
    });
    const closed = Promise.allSettled([...this.#closings].map(async (close) => close()));
    await Promise.race([closed, limit]);
    clearTimeout(timer);
  }

  #release(): void {
    for (const signal of SIGNALS) this.#host.off(signal, this.#onSignal);
    this.#signals = "off";
  }

  #stopListening(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#host.off("exit", this.#onExit);
  }
}
