import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Delivery } from "../reply.js";

/** Writes bytes to a response as a `Delivery` says, with back-pressure; stops quietly when the client is gone. */
export class Writer {
  readonly #response: ServerResponse;
  readonly #delivery: Delivery;
  readonly #gone = new AbortController();
  readonly #left: Promise<unknown>;

  constructor(response: ServerResponse, delivery: Delivery) {
    this.#response = response;
    this.#delivery = delivery;
    this.#left = new Promise((resolve) => response.once("close", resolve));
    response.once("close", () => this.#gone.abort());
  }

  get gone(): boolean {
    return this.#gone.signal.aborted;
  }

  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const { chunkBytes = bytes.length, waitMs } = this.#delivery;
    for (let start = 0; start < bytes.length && !this.gone; start += chunkBytes) {
      if (!this.#response.write(bytes.subarray(start, start + chunkBytes))) await this.#drained();
      if (waitMs !== undefined) await this.wait(waitMs);
      else if (chunkBytes < bytes.length) await new Promise(setImmediate);
    }
  }

  /** Waits, but not longer than the client stays. */
  async wait(ms: number): Promise<void> {
    if (this.gone) return;
    const { signal } = this.#gone;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      function end(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      }
    });
  }

  /** Settles when the client goes away. */
  async hang(): Promise<void> {
    if (!this.gone) await this.#left;
  }

  async #drained(): Promise<void> {
    if (this.gone) return;
    await Promise.race([once(this.#response, "drain"), this.#left]);
  }
}
