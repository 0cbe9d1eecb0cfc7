import {
  type Callbacks,
  type ContextItem,
  callbacksToSink,
  type EventSink,
  type ResponseEvent,
  type TerminalEvent,
  TokenCalibration,
} from "@ashlar/context";
import { accept, type PlanUsage } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import { type Clock, systemClock } from "./clock.js";
import { type CompleteProvider, completeProvider } from "./complete-provider.js";
import { EventStream } from "./event-stream.js";
import { IOError } from "./io-error.js";
import { Interruption } from "./request/interruption.js";
import type { RequestOptions } from "./request/request-options.js";
import { type RunOptions, runRequest } from "./request/run.js";
import { type Limits, resolveLimits, type Timeouts } from "./timeouts.js";

export type IOState = "idle" | "sending" | "reading" | "closed";

/** Tokens: what the provider measured last, and the window in force. */
export interface ContextUsage {
  readonly used?: number;
  readonly total?: number;
}

export interface IOOptions {
  readonly timeouts?: Timeouts;
  /** Settings below the connection's own (`think` and the limits), read at each request. */
  readonly defaults?: () => Readonly<Record<string, unknown>>;
  readonly clock?: Clock;
}

interface Running {
  readonly interruption: Interruption;
  readonly settled: Promise<void>;
}

/** One model, one request at a time: `idle → sending → reading → idle`, and `closed` for ever after `close`. */
export class IO {
  /** Qualified `endpoint/model`. */
  readonly selector: string;
  readonly #connection: Connection;
  readonly #provider: CompleteProvider;
  readonly #options: IOOptions;
  readonly #session = new Map<string, unknown>();
  readonly #calibration = new TokenCalibration();
  #state: IOState = "idle";
  #running: Running | undefined;
  #contextUsage: ContextUsage | undefined;
  #planUsage: PlanUsage | undefined;

  /** Throws kind `contract` or `usage` for a connection whose provider cannot be used. */
  constructor(connection: Connection, options: IOOptions = {}) {
    this.selector = `${connection.endpoint}/${connection.model}`;
    this.#connection = connection;
    this.#provider = completeProvider(accept(connection.Provider));
    this.#options = options;
    const total = connection.info.contextWindow;
    if (total !== undefined) this.#contextUsage = { total };
  }

  get state(): IOState {
    return this.#state;
  }

  get contextUsage(): ContextUsage | undefined {
    return this.#contextUsage;
  }

  /** The quota as the provider reported it last. */
  get planUsage(): PlanUsage | undefined {
    return this.#planUsage;
  }

  /**
   * Runs one request on the whole context, a text being read like a program's input. Events go to the sink as they come;
   * resolves with the terminal one. A failed request is its `error` event. Rejects with kind `usage` for a wrong use
   * (busy, closed, a bad option), and with what the sink threw, which cancels the request.
   */
  async write(
    context: string | readonly ContextItem[],
    sink: EventSink | Callbacks,
    options: RequestOptions = {},
  ): Promise<TerminalEvent> {
    const take = typeof sink === "function" ? sink : callbacksToSink(sink);
    return this.#request({
      context,
      sink: take,
      request: options,
      signals: [],
      backpressure: () => undefined,
    });
  }

  /** The same request as an iterable of its events. Leaving the loop cancels it; a slow reader slows the connection. */
  stream(
    context: string | readonly ContextItem[],
    options: RequestOptions = {},
  ): AsyncIterableIterator<ResponseEvent, undefined> {
    return new EventStream((sink, { backpressure, signal }) =>
      this.#request({ context, sink, request: options, signals: [signal], backpressure }),
    );
  }

  /** Cancels a running request and refuses further ones. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#state = "closed";
    const running = this.#running;
    running?.interruption.interrupt(new IOError("cancelled", `${this.selector} was closed.`, {}));
    await running?.settled;
  }

  async #request({ signals, ...task }: Task): Promise<TerminalEvent> {
    const settings = this.#settingsOf(task.request);
    const limits = this.#checked(task.request, settings);
    const interruption = new Interruption();
    const unfollow = [task.request.signal, ...signals].map((signal) => this.#follow(signal, interruption));
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const running: Running = { interruption, settled };
    // The sink may close this IO at the first event.
    this.#running = running;
    this.#state = "sending";
    try {
      return await runRequest({ ...task, ...this.#parts(settings), limits, interruption });
    } finally {
      for (const stop of unfollow) stop();
      if (this.#running === running) this.#setFree();
      settle();
    }
  }

  /** The limits of a request that may begin now. Throws kind `usage`. */
  #checked(request: RequestOptions, settings: SettingLayers): Limits {
    if (this.#state === "closed") throw new IOError("usage", `${this.selector}: this IO is closed.`, {});
    if (this.#state !== "idle") {
      throw new IOError("usage", `${this.selector}: a request is running; an IO runs one at a time.`, {});
    }
    return resolveLimits({
      request: request.timeouts,
      io: this.#options.timeouts,
      settings: strongestFirst(settings),
      provider: this.#connection.Provider.provider,
    });
  }

  /** Read once a request, for a connection works its settings out each time it is asked. */
  #settingsOf(request: RequestOptions): SettingLayers {
    return {
      request: request.settings ?? {},
      connection: this.#connection.settings,
      defaults: this.#options.defaults?.() ?? {},
    };
  }

  #parts(settings: SettingLayers): Omit<RunOptions, keyof Task | "limits" | "interruption"> {
    const connection = this.#connection;
    return {
      connection,
      provider: this.#provider,
      selector: this.selector,
      settings: { ...settings.connection, ...settings.request },
      think: strongestFirst(settings).find(({ think }) => think !== undefined)?.think,
      clock: this.#options.clock ?? systemClock,
      session: this.#session,
      calibration: this.#calibration,
      onReading: () => {
        if (this.#state === "sending") this.#state = "reading";
      },
      onEnd: () => this.#setFree(),
      onContextUsage: (usage) => {
        this.#contextUsage = { ...this.#contextUsage, ...usage };
      },
      onPlanUsage: (usage) => {
        this.#planUsage = usage;
      },
    };
  }

  #setFree(): void {
    this.#running = undefined;
    if (this.#state !== "closed") this.#state = "idle";
  }

  /** Cancels with the signal; the returned function lets go of it, for it may outlive the request by far. */
  #follow(signal: AbortSignal | undefined, interruption: Interruption): () => void {
    if (signal === undefined) return () => undefined;
    const cancel = (): void =>
      interruption.interrupt(
        new IOError(
          "cancelled",
          `${this.selector}: the request was cancelled.`,
          {},
          { cause: signal.reason },
        ),
      );
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    return () => signal.removeEventListener("abort", cancel);
  }
}

type Settings = Readonly<Record<string, unknown>>;

interface SettingLayers {
  readonly request: Settings;
  readonly connection: Settings;
  readonly defaults: Settings;
}

function strongestFirst({ request, connection, defaults }: SettingLayers): readonly Settings[] {
  return [request, connection, defaults];
}

type Task = Pick<RunOptions, "context" | "sink" | "request" | "backpressure"> & {
  /** Cancel the request, beside its own signal. */
  readonly signals: readonly AbortSignal[];
};
