import { estimateTokens, type TerminalEvent, type ToolResultMessage } from "@ashlar/context";
import { costOf } from "../loop/budget.js";
import { pairResponse } from "../loop/call-ids.js";
import type { LoopInput } from "../loop/loop-step.js";
import { guardStream } from "./guarded-stream.js";
import type { ShownRequest } from "./run-hooks.js";
import type { RunHost } from "./run-host.js";

export interface SentRequest {
  readonly input: LoopInput;
  /** Results of the calls that the provider executed, in call order. */
  readonly executed: readonly ToolResultMessage[];
}

export interface RequestParts {
  /** Of the context as it is. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  /** What hooks made of it; undefined: nothing. */
  readonly shown: ShownRequest | undefined;
}

/** Claims the budget, sends one request and counts what it cost. */
export async function sendRequest(host: RunHost, parts: RequestParts): Promise<SentRequest> {
  const { budget, runtime, context } = host;
  const { signal, shown } = parts;
  const tools = host.descriptors();
  const replaced = shown?.messages;
  const tokens = replaced === undefined ? parts.tokens : estimateTokens(replaced, tools);
  const claim = budget.reserve({ now: runtime.now(), tokens });
  if (!claim.ok) return { input: { type: "denied", stop: claim.stop }, executed: [] };
  let terminal: TerminalEvent | undefined;
  try {
    host.journal?.attempt();
    context.seal();
    terminal = await guardStream({
      stream: host.stream,
      foreign: host.foreignStream,
      context: replaced ?? context.items(),
      options: { ...host.streamOptions, ...shown?.options, tools, signal },
      sink: (event) => host.emitter.response(event),
    });
  } finally {
    // The budget may be shared: a claim of a request that failed to go out would stay for all.
    budget.settle(claim.reservation, terminal?.usage, costOf(terminal?.usage, host.price));
  }
  const { usage } = terminal;
  if (usage !== undefined) {
    host.onUsage(usage);
    host.journal?.usage(usage, host.streamOptions.model);
    if (usage.source === "provider" && replaced === undefined) host.meter.learn(usage.inputTokens);
  }
  if (terminal.type === "error" && terminal.contextOverflow !== undefined) {
    host.onOverflow(terminal.contextOverflow, tokens);
  }
  for (const warning of terminal.warnings ?? []) host.emitter.notice(warning);
  const paired = pairTerminal(terminal, host);
  const { now, random } = runtime;
  return {
    input: { type: "answered", terminal: paired.terminal, now: now(), random: random() },
    executed: paired.executed,
  };
}

function pairTerminal(
  terminal: TerminalEvent,
  { ids }: RunHost,
): { readonly terminal: TerminalEvent; readonly executed: readonly ToolResultMessage[] } {
  if (terminal.message === undefined) return { terminal, executed: [] };
  const { message, results } = pairResponse(terminal.message, terminal.results ?? [], ids);
  if (message === terminal.message) return { terminal, executed: results };
  return { terminal: { ...terminal, message, ...(results.length > 0 && { results }) }, executed: results };
}
