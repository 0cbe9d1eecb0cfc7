import type { ToolProcess } from "../worker/tool-process.js";

/** Milliseconds a process waits for a call. */
const STANDBY_MS = 60_000;

interface Held {
  readonly key: string;
  readonly process: Promise<ToolProcess | undefined>;
  readonly timer: NodeJS.Timeout;
}

/** One process that was started before it is needed. It keeps nobody's program alive. */
export class Standby {
  #held: Held | undefined;
  #closed = false;

  /** The process that waits for this key; one with another key is of no use any more and goes. */
  async take(key: string): Promise<ToolProcess | undefined> {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return undefined;
    clearTimeout(held.timer);
    const process = await held.process;
    if (process === undefined || process.isOver()) return undefined;
    if (held.key === key) {
      process.ref();
      return process;
    }
    await process.end();
    return undefined;
  }

  /** Starts one for the calls to come, unless one waits already. */
  prepare(key: string, start: () => Promise<ToolProcess>): void {
    if (this.#held !== undefined || this.#closed) return;
    // A call that finds none starts its own, and says what is wrong.
    const process = start().catch(() => undefined);
    void process.then((started) => started?.unref());
    const timer = setTimeout(() => void this.#drop(), STANDBY_MS);
    timer.unref();
    this.#held = { key, process, timer };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    clearTimeout(held.timer);
    await (await held.process)?.end();
  }
}
