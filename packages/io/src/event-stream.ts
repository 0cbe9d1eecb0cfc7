import type { EventSink, ResponseEvent } from "@ashlar/context";

/** Events that may wait before reading from the connection stops; one chunk may go beyond. */
const HIGH_MARK = 512;
const LOW_MARK = 64;

/** Runs a request: events into the sink, pausing while `backpressure` answers a promise, until the signal stops it. */
export type StreamSource = (
  sink: EventSink,
  control: { readonly backpressure: () => Promise<void> | undefined; readonly signal: AbortSignal },
) => Promise<unknown>;

/**
 * A request as an iterable of its events, for one reader. It starts at the first `next`;
 * leaving the iteration cancels it. Rejects only for a wrong use, never for a failed request.
 */
export class EventStream implements AsyncIterableIterator<ResponseEvent, undefined> {
  readonly #source: StreamSource;
  readonly #controller = new AbortController();
  #queue: ResponseEvent[] = [];
  #taken = 0;
  #running: Promise<unknown> | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  /** Readers that wait, the first to be served first. */
  #waiting: (() => void)[] = [];
  #wakeSource: (() => void) | undefined;

  constructor(source: StreamSource) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ResponseEvent, undefined>> {
    this.#running ??= this.#run();
    for (;;) {
      const event = this.#take();
      if (event !== undefined) return { done: false, value: event };
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  async return(): Promise<IteratorResult<ResponseEvent, undefined>> {
    this.#controller.abort();
    this.#running ??= Promise.resolve();
    this.#ended = true;
    this.#queue = [];
    this.#taken = 0;
    this.#wakeSource?.();
    this.#wake();
    await this.#running;
    this.#queue = [];
    return { done: true, value: undefined };
  }

  async #run(): Promise<void> {
    try {
      await this.#source(this.#push, {
        backpressure: () => this.#backpressure(),
        signal: this.#controller.signal,
      });
    } catch (error) {
      this.#failure = { error };
    }
    this.#ended = true;
    this.#wake();
  }

  readonly #push = (event: ResponseEvent): void => {
    this.#queue.push(event);
    this.#wake();
  };

  #wake(): void {
    if (this.#waiting.length === 0) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #take(): ResponseEvent | undefined {
    const event = this.#queue[this.#taken];
    if (event === undefined) return undefined;
    this.#taken++;
    if (this.#taken === this.#queue.length) {
      this.#queue = [];
      this.#taken = 0;
    }
    if (this.#queue.length - this.#taken <= LOW_MARK) this.#wakeSource?.();
    return event;
  }

  #backpressure(): Promise<void> | undefined {
    if (this.#controller.signal.aborted || this.#queue.length - this.#taken < HIGH_MARK) return undefined;
    return new Promise((resolve) => {
      this.#wakeSource = resolve;
    });
  }
}
