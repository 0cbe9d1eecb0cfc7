import {
  type ContextItem,
  EVENTS_VERSION,
  type EventSink,
  estimateTokens,
  type Message,
  parseInput,
  requestView,
  type TerminalEvent,
  type TokenCalibration,
  type Usage,
} from "@ashlar/context";
import type { AuthRecord, WireContext } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import type { Clock } from "../clock.js";
import type { CompleteProvider } from "../complete-provider.js";
import { classifyError } from "../failure/classify.js";
import { redact, secretsOf } from "../failure/redact.js";
import { IOError } from "../io-error.js";
import { chooseThinking } from "../thinking.js";
import { isIdleLimit, type Limits } from "../timeouts.js";
import { attempt, type Ending } from "./attempt.js";
import type { Interruption } from "./interruption.js";
import { Receiver } from "./receiver.js";
import type { RequestOptions } from "./request-options.js";
import { failureEvent, type Outcome, presentable, successEvent } from "./terminal.js";
import { Watchdog } from "./watchdog.js";
import { createWireContext } from "./wire-context.js";

export interface RunOptions {
  readonly connection: Connection;
  readonly provider: CompleteProvider;
  readonly selector: string;
  readonly context: string | readonly ContextItem[];
  readonly request: RequestOptions;
  /** The setting `think`. */
  readonly think: unknown;
  /** What the provider sees. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly interruption: Interruption;
  readonly session: Map<string, unknown>;
  readonly calibration: TokenCalibration;
  readonly sink: EventSink;
  readonly backpressure: () => Promise<void> | undefined;
  readonly onReading: () => void;
  /** The request has ended; its terminal event follows. */
  readonly onEnd: () => void;
  readonly onContextUsage: WireContext["reportContextUsage"];
  readonly onPlanUsage: WireContext["reportPlanUsage"];
}

/**
 * Runs one request from its start event to its terminal event, which is made and sent here and nowhere else.
 * Rejects only with what the sink threw.
 */
export async function runRequest(options: RunOptions): Promise<TerminalEvent> {
  const run = new RequestRun(options);
  try {
    return await run.toTerminal();
  } catch (error) {
    options.interruption.interrupt(new IOError("cancelled", "The sink of the events failed.", {}));
    throw error;
  }
}

class RequestRun {
  readonly #options: RunOptions;
  readonly #receiver: Receiver;
  readonly #warnings: string[] = [];
  readonly #secrets = new Set<string>();
  /** A connection works its metadata out each time it is asked. */
  readonly #info: Connection["info"];
  #messages: readonly Message[] = [];
  #messageTokens = 0;
  #estimatedInput = 0;
  #usedReported = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#info = options.connection.info;
    this.#receiver = new Receiver(options.sink, () => options.interruption.reason !== undefined);
  }

  async toTerminal(): Promise<TerminalEvent> {
    const { selector, interruption } = this.#options;
    this.#receiver.deliver({ type: "start", version: EVENTS_VERSION, model: selector });
    const ending = await this.#exchange();
    // Whatever a failed request still has open is closed: the rest of an error body, a fetch of the provider.
    if ("failure" in ending) interruption.interrupt(new IOError("cancelled", "The request has failed.", {}));
    const event = this.#terminal(ending);
    this.#learn(event.usage);
    this.#options.onEnd();
    this.#receiver.deliver(event);
    return event;
  }

  async #exchange(): Promise<Ending> {
    const { clock, limits, selector, interruption } = this.#options;
    const watchdog = new Watchdog({
      clock,
      limits,
      selector,
      onExpire: (error) => interruption.interrupt(error),
      isBusy: () => this.#receiver.pendingCalls > 0,
    });
    try {
      const context = this.#view();
      const ending = await this.#attempt(context, watchdog);
      if ("done" in ending || ending.failure.kind !== "auth" || this.#receiver.started) return ending;
      return (await this.#credentialsChanged()) ? await this.#attempt(context, watchdog) : ending;
    } catch (error) {
      if (this.#receiver.delivering) throw error;
      return { failure: classifyError(interruption.reason ?? error), usage: undefined };
    } finally {
      watchdog.stop();
    }
  }

  #view(): readonly Message[] {
    const { context, request, calibration } = this.#options;
    const items = typeof context === "string" ? parseInput(context).items : context;
    this.#messages = requestView(items);
    this.#messageTokens = estimateTokens(this.#messages);
    this.#estimatedInput = calibration.apply(this.#messageTokens + estimateTokens([], request.tools));
    return this.#messages;
  }

  /** Providers ask mostly for what was estimated already. */
  #estimate(context: readonly Message[]): number {
    const { calibration } = this.#options;
    return calibration.apply(context === this.#messages ? this.#messageTokens : estimateTokens(context));
  }

  #attempt(context: readonly Message[], watchdog: Watchdog): Promise<Ending> {
    const { connection, interruption } = this.#options;
    const auth = connection.auth();
    for (const secret of secretsOf(auth)) this.#secrets.add(secret);
    return attempt({
      ...this.#options,
      context,
      transport: connection.transport,
      io: this.#wireContext(auth, interruption.signal),
      receiver: this.#receiver,
      watchdog,
    });
  }

  #wireContext(auth: AuthRecord | undefined, signal: AbortSignal): WireContext {
    const { connection, request, think } = this.#options;
    const { capabilities } = connection.Provider.provider;
    const modes = this.#info.thinking ?? capabilities.thinking;
    const modeDefault = this.#info.thinkingDefault ?? capabilities.thinkingDefault;
    const thinking = chooseThinking({ asked: request.thinking, setting: think, modes, modeDefault });
    if (request.thinking !== undefined && request.thinking !== "none" && thinking === undefined) {
      this.#warn(`Thinking "${request.thinking}" was asked for, but the model has no control of it.`);
    }
    return createWireContext({
      ...this.#options,
      info: this.#info,
      auth,
      thinking,
      signal,
      estimateTokens: (messages) => this.#estimate(messages),
      onWarning: (text) => this.#warn(text),
      onContextUsage: (usage) => this.#reportContextUsage(usage),
    });
  }

  /** A refusal is worth a second try only when the store holds other credentials by now. */
  async #credentialsChanged(): Promise<boolean> {
    const { connection, interruption } = this.#options;
    if (connection.authReload === undefined) return false;
    try {
      return await interruption.wait(connection.authReload());
    } catch (error) {
      if (interruption.reason !== undefined) throw error;
      this.#warn(`The stored credentials could not be read again: ${classifyError(error).message}`);
      return false;
    }
  }

  #terminal(ending: Ending): TerminalEvent {
    const { selector } = this.#options;
    const secrets = [...this.#secrets];
    const outcome: Outcome = {
      assembler: this.#receiver.assembler,
      answered: this.#receiver.answered,
      warnings: this.#warnings.map((text) => redact(text, secrets)),
      estimatedInput: this.#estimatedInput,
      price: this.#info.price,
      selector,
      idle: isIdleLimit(this.#options.interruption.reason),
    };
    this.#reportAuth(ending);
    if ("done" in ending) return successEvent(ending.done, outcome);
    return failureEvent(presentable(ending.failure, secrets), outcome, ending.usage);
  }

  /** The server's answer says whether the credentials are good; other failures say nothing of them. */
  #reportAuth(ending: Ending): void {
    const { authReport } = this.#options.connection;
    if ("done" in ending) authReport?.("accepted");
    else if (ending.failure.kind === "auth") authReport?.("refused");
  }

  /** Only counts of the provider teach, and fill the measured usage where the provider did not. */
  #learn(usage: Usage | undefined): void {
    if (usage?.source !== "provider") return;
    const { calibration, onContextUsage } = this.#options;
    const estimated = this.#estimatedInput / calibration.ratio;
    calibration.observe({ estimated, measured: usage.inputTokens });
    if (!this.#usedReported) onContextUsage({ used: usage.inputTokens + usage.outputTokens });
  }

  #reportContextUsage(usage: { readonly used?: number; readonly total?: number }): void {
    this.#usedReported ||= usage.used !== undefined;
    this.#options.onContextUsage(usage);
  }

  #warn(text: string): void {
    if (!this.#warnings.includes(text)) this.#warnings.push(text);
  }
}
