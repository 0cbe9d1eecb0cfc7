import { type Message, requestView } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import type { HookAnswer } from "../hooks/ask-hook.js";
import type { InterceptorChain } from "../hooks/interceptor-chain.js";
import { type RequestFacts, TurnHooks } from "../hooks/turn-hooks.js";
import type { StreamOptions } from "../stream-function.js";
import type { RunHost } from "./run-host.js";

/** What hooks made of one request. */
export interface ShownRequest {
  /** In the place of the conversation; undefined: it is shown as it is. */
  readonly messages: readonly Message[] | undefined;
  readonly options: Pick<StreamOptions, "thinking" | "settings">;
}

/** The hooks of a run that are asked between its calls. */
export function turnHooks(
  host: Pick<RunHost, "hooks" | "hookTimeoutMs" | "emitter">,
  chain: InterceptorChain,
  signal: AbortSignal,
): TurnHooks {
  return new TurnHooks({
    chain,
    agent: host.hooks.agent,
    timeoutMs: host.hookTimeoutMs,
    signal,
    notice: (message) => host.emitter.notice(message),
  });
}

/** Asks the hooks about the request to come; undefined when none wants to be asked. */
export async function shapedRequest(
  { context, streamOptions }: RunHost,
  hooks: TurnHooks,
): Promise<HookAnswer<ShownRequest> | undefined> {
  if (!hooks.shapesRequests) return undefined;
  const messages = Object.freeze([...requestView(context.items())]);
  return shape({ purpose: "answer", messages }, streamOptions, hooks);
}

/**
 * What the hooks make of a request for a summary, which shows as much as the conversation does; undefined when none wants
 * to be asked. Rejects with kind `compaction` when one fails or the work is cancelled.
 */
export async function shapedSummary(
  host: Pick<RunHost, "hooks" | "hookTimeoutMs" | "emitter" | "streamOptions">,
  prompt: readonly Message[],
  signal: AbortSignal,
): Promise<ShownRequest | undefined> {
  const chain = await host.hooks.chain(signal);
  const hooks = chain && turnHooks(host, chain, signal);
  if (hooks?.shapesRequests !== true) return undefined;
  const { thinking: _thinking, ...options } = host.streamOptions;
  const messages = Object.freeze([...prompt]);
  const answer = await shape({ purpose: "summary", messages }, options, hooks);
  if (answer.type === "reply") return answer.reply;
  if (answer.type === "cancelled") throw new AgentError("compaction", "cancelled", { reason: "cancelled" });
  throw new AgentError("compaction", `Nothing was sent: ${answer.problem}.`, { reason: "request" });
}

async function shape(
  { purpose, messages }: Pick<RequestFacts, "purpose" | "messages">,
  { model, thinking, settings = {} }: RunHost["streamOptions"],
  hooks: TurnHooks,
): Promise<HookAnswer<ShownRequest>> {
  const answer = await hooks.shapeRequest({ purpose, messages, model, thinking, settings });
  if (answer.type !== "reply") return answer;
  const { reply } = answer;
  const options = {
    settings: reply.settings,
    ...(reply.thinking !== undefined && { thinking: reply.thinking }),
  };
  const replaced = reply.messages === messages ? undefined : reply.messages;
  return { type: "reply", reply: { messages: replaced, options } };
}
