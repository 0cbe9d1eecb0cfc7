import { type Message, requestView } from "@ashlar/context";
import type { HookAnswer } from "../hooks/ask-hook.js";
import type { InterceptorChain } from "../hooks/interceptor-chain.js";
import { TurnHooks } from "../hooks/turn-hooks.js";
import type { StreamOptions } from "../stream-function.js";
import type { RunHost } from "./run-host.js";

/** What hooks made of one request. */
export interface ShownRequest {
  /** In the place of the conversation; undefined: it is shown as it is. */
  readonly messages: readonly Message[] | undefined;
  readonly options: Pick<StreamOptions, "thinking" | "settings">;
}

/** The hooks of a run that are asked between its calls. */
export function turnHooks(host: RunHost, chain: InterceptorChain, signal: AbortSignal): TurnHooks {
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
  const { model, thinking, settings = {} } = streamOptions;
  const answer = await hooks.shapeRequest({ messages, model, thinking, settings });
  if (answer.type !== "reply") return answer;
  const { reply } = answer;
  const options = {
    settings: reply.settings,
    ...(reply.thinking !== undefined && { thinking: reply.thinking }),
  };
  const replaced = reply.messages === messages ? undefined : reply.messages;
  return { type: "reply", reply: { messages: replaced, options } };
}
