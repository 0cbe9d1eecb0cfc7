import type { Dispatcher } from "undici";
import { EnvError } from "../env-error.js";
import { ByteQueue } from "./byte-queue.js";
import type { PooledConnection } from "./connection-pool.js";
import { cancelledError, networkError } from "./network-error.js";

/** Reading from the socket stops above the first mark and goes on below the second. */
const PAUSE_BYTES = 1024 * 1024;
const RESUME_BYTES = 256 * 1024;

export interface ExchangeOptions {
  readonly connection: PooledConnection;
  readonly origin: string;
  readonly proxy: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface ExchangeHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

type Phase = "waiting" | "body" | "complete" | "failed" | "left";
type Body = IteratorResult<Uint8Array, undefined>;
interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** One request and its response: the handler of the HTTP client on one side, an iterator of the body on the other. */
export class Exchange implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array, undefined> {
  readonly #options: ExchangeOptions;
  readonly #queue = new ByteQueue();
  #phase: Phase = "waiting";
  #failure: unknown;
  #head: Waiter<ExchangeHead> | undefined;
  #reader: Waiter<Body> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #wakeScheduled = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Sends the request. Resolves with the head of the response, whatever its status. */
  start(request: Dispatcher.DispatchOptions): Promise<ExchangeHead> {
    return new Promise((resolve, reject) => {
      this.#head = { resolve, reject };
      this.#options.signal?.addEventListener("abort", this.#cancel, { once: true });
      this.#options.connection.client.dispatch(request, this);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    ...[, status, headers]: Parameters<Required<Dispatcher.DispatchHandler>["onResponseStart"]>
  ): void {
    if (this.#phase !== "waiting" || status < 200) return;
    this.#phase = "body";
    this.#head?.resolve({ status, headers: plainHeaders(headers) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#phase !== "body") return;
    this.#queue.push(chunk);
    if (this.#queue.bytes > PAUSE_BYTES) controller.pause();
    this.#scheduleWake();
  }

  onResponseEnd(): void {
    if (this.#phase !== "body") return;
    this.#phase = "complete";
    this.#unlisten();
    this.#options.connection.release();
    this.#scheduleWake();
  }

  onResponseError(_controller: unknown, error: Error): void {
    const { origin, proxy } = this.#options;
    this.#fail(networkError(error, { origin, proxy, started: this.#phase === "body" }));
  }

  next(): Promise<Body> {
    if (this.#reader !== undefined)
      return Promise.reject(new EnvError("usage", "a body is read once at a time", {}));
    return new Promise((resolve, reject) => {
      if (!this.#settle({ resolve, reject })) this.#reader = { resolve, reject };
    });
  }

  /** Leaving early closes the socket: the rest of the answer is not wanted. */
  return(): Promise<Body> {
    if (this.#phase === "body") {
      this.#phase = "left";
      this.#unlisten();
      this.#options.connection.destroy();
    }
    this.#queue.clear();
    this.#wake();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #cancel = (): void => {
    this.#queue.clear();
    this.#fail(cancelledError(this.#options.origin, this.#options.signal?.reason));
  };

  #fail(error: unknown): void {
    if (this.#phase !== "waiting" && this.#phase !== "body") return;
    this.#phase = "failed";
    this.#failure = error;
    this.#unlisten();
    this.#options.connection.destroy();
    this.#head?.reject(error);
    this.#wake();
  }

  #unlisten(): void {
    this.#options.signal?.removeEventListener("abort", this.#cancel);
  }

  /** One socket read brings many pieces in one go; a reader is woken once, after the last. */
  #scheduleWake(): void {
    if (this.#reader === undefined || this.#wakeScheduled) return;
    this.#wakeScheduled = true;
    queueMicrotask(this.#wake);
  }

  readonly #wake = (): void => {
    this.#wakeScheduled = false;
    const reader = this.#reader;
    if (reader !== undefined && this.#settle(reader)) this.#reader = undefined;
  };

  /** Answers a reader with the next bytes, the failure or the end; false when there is nothing to say yet. */
  #settle(reader: Waiter<Body>): boolean {
    const chunk = this.#queue.take();
    if (chunk !== undefined) {
      if (this.#controller?.paused && this.#queue.bytes < RESUME_BYTES) this.#controller.resume();
      reader.resolve({ done: false, value: chunk });
    } else if (this.#phase === "failed") {
      reader.reject(this.#failure);
    } else if (this.#phase !== "body") {
      reader.resolve({ done: true, value: undefined });
    } else {
      return false;
    }
    return true;
  }
}

function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = typeof value === "string" ? value : value.join(", ");
  }
  return plain;
}
