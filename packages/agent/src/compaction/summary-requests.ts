import {
  addUsage,
  contentText,
  type DoneEvent,
  type ErrorEvent,
  estimateTokens,
  type Message,
  type TerminalEvent,
  type Usage,
  type UsageCause,
} from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import { costOf } from "../loop/budget.js";
import { judgeFailure } from "../loop/retry.js";
import { guardStream } from "../run/guarded-stream.js";
import { reloadCredentials } from "../run/reload-credentials.js";
import { shapedSummary } from "../run/run-hooks.js";
import type { RunHost } from "../run/run-host.js";

/** What a request for a summary needs of a run's host. */
export type SummaryHost = Pick<
  RunHost,
  | "context"
  | "emitter"
  | "meter"
  | "policy"
  | "budget"
  | "runtime"
  | "stream"
  | "foreignStream"
  | "streamOptions"
  | "price"
  | "authReload"
  | "onUsage"
  | "hooks"
  | "hookTimeoutMs"
>;

/** A request for a summary did not fit the window. */
export class SummaryOverflow extends Error {
  /** Tokens, when the provider said so. */
  readonly window: number | undefined;

  constructor({ error, contextOverflow }: ErrorEvent) {
    super(error);
    this.window = contextOverflow?.window;
  }
}

/** The requests of one summary: each claims the budget, is sent again by the retry policy, and is counted. Their events reach nobody. */
export class SummaryRequests {
  readonly #host: SummaryHost;
  readonly #signal: AbortSignal;
  readonly #cause: UsageCause;
  #requests = 0;
  #usage: Usage | undefined;

  constructor(host: SummaryHost, signal: AbortSignal, cause: UsageCause) {
    this.#host = host;
    this.#signal = signal;
    this.#cause = cause;
  }

  /** What was sent so far, and what it used. */
  get spent(): { readonly requests: number; readonly usage?: Usage } {
    return { requests: this.#requests, ...(this.#usage !== undefined && { usage: this.#usage }) };
  }

  /** The text of the answer. Throws kind `compaction`, or `SummaryOverflow`. */
  async ask(prompt: readonly Message[]): Promise<string> {
    const { runtime, policy } = this.#host;
    let failures = 0;
    let reloaded = false;
    for (;;) {
      const terminal = await this.#send(prompt);
      if (terminal.type === "done") return summaryText(terminal);
      if (this.#signal.aborted || terminal.kind === "cancelled") throw cancelled();
      if (terminal.contextOverflow !== undefined) throw new SummaryOverflow(terminal);
      const attempt = { failure: terminal, attempt: failures + 1, reloaded, random: runtime.random() };
      const verdict = judgeFailure(attempt, policy.retry);
      if (verdict.action === "retry") {
        failures += 1;
        await this.#wait(verdict.delayMs, terminal.error);
        continue;
      }
      const isReloaded = verdict.action === "reload" && (await reloadCredentials(this.#host, this.#signal));
      if (!isReloaded) throw new AgentError("compaction", terminal.error, { reason: "request" });
      reloaded = true;
    }
  }

  async #send(prompt: readonly Message[]): Promise<TerminalEvent> {
    const { budget, runtime, stream, foreignStream, streamOptions, price, meter } = this.#host;
    if (this.#signal.aborted) throw cancelled();
    const { thinking: _thinking, format: _format, ...options } = streamOptions;
    const shown = await shapedSummary(this.#host, prompt, this.#signal);
    const messages = shown?.messages ?? prompt;
    const tokens = Math.ceil(meter.ratio * estimateTokens(messages));
    const claim = budget.reserve({ now: runtime.now(), tokens });
    if (!claim.ok) throw new AgentError("compaction", claim.stop.message, { reason: "budget" });
    this.#requests += 1;
    const terminal = await guardStream({
      stream,
      foreign: foreignStream,
      context: messages,
      options: { ...options, ...shown?.options, tools: [], signal: this.#signal },
      // The summary is no answer: whoever reads the stream must not take it for one.
      sink: () => undefined,
    });
    const { usage } = terminal;
    budget.settle(claim.reservation, usage, costOf(usage, price));
    if (usage !== undefined) this.#count(usage);
    return terminal;
  }

  #count(usage: Usage): void {
    const { context, onUsage, streamOptions } = this.#host;
    this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage);
    onUsage(usage);
    if (context.stored)
      context.journal({ type: "usage", cause: this.#cause, usage, model: streamOptions.model });
  }

  async #wait(delayMs: number, error: string): Promise<void> {
    const { emitter, runtime } = this.#host;
    emitter.notice(`The request for a summary failed and is sent again: ${error}`);
    if (delayMs > 0) await runtime.wait(delayMs, this.#signal);
  }
}

function summaryText({ message, doneReason }: DoneEvent): string {
  const text = message === undefined ? "" : contentText(message).trim();
  if (doneReason === "length") throw useless("The summary was cut by the output limit of the model.");
  if (text === "") throw useless("The model returned no summary.");
  return text;
}

function useless(problem: string): AgentError<"compaction"> {
  return new AgentError("compaction", problem, { reason: "summary" });
}

export function cancelled(): AgentError<"compaction"> {
  return new AgentError("compaction", "cancelled", { reason: "cancelled" });
}
