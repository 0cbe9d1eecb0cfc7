import type { ErrorEvent } from "@ashlar/context";
import type { ClassifiedError } from "@ashlar/context/provider";
import { recordOf } from "../record.js";

/** What is known of the request that failed. */
export interface FailedRequest {
  readonly model: string;
  readonly url: string;
  /** Tokens. */
  readonly window: number;
  readonly estimatedTokens: number;
}

const OVERFLOW =
  /exceed_context_size|exceeds? the available context size|prompt is longer than the context|input length exceeds|exceeds? (?:the )?(?:maximum )?context (?:length|window)/i;
const NOT_FOUND = /model ["'][^"']*["'] (?:not found|does not exist)/i;
const UNPARSED_CALL = /error parsing tool call|failed to parse (?:tool|json|input)|tool call.{0,40}pars/i;

/** Refines a verdict with what Ollama's own messages mean, and what helps. */
function refine(base: ClassifiedError, request: FailedRequest): ClassifiedError {
  const { message, kind, status } = base;
  const { model } = request;
  if (kind !== "provider" && kind !== "auth") return base;
  if (OVERFLOW.test(message)) return overflow(base, request);
  if (status === 401)
    return helped(base, "Sign in with `ollama signin`, or set OLLAMA_API_KEY for the cloud.");
  if (NOT_FOUND.test(message))
    return helped({ ...base, retryable: false }, `Get it with \`ollama pull ${model}\`.`);
  if (/does not support tools/i.test(message)) {
    return helped(
      { ...base, retryable: false },
      `Choose a model with the capability tools, or offer ${model} none.`,
    );
  }
  if (/does not support thinking/i.test(message))
    return helped({ ...base, retryable: false }, "Do not ask it to think.");
  if (UNPARSED_CALL.test(message)) {
    return helped(
      { ...base, retryable: true },
      "The model wrote a tool call that the server could not read; it may do better at the next try.",
    );
  }
  return base;
}

/** Refines the verdict on what the transport threw. */
export function refineThrown(error: unknown, base: ClassifiedError, request: FailedRequest): ClassifiedError {
  const { code, details } = recordOf(error);
  if (base.kind !== "network" || (code ?? recordOf(details).code) !== "ECONNREFUSED")
    return refine(base, request);
  return helped(base, `Is Ollama running at ${request.url}? Start it with \`ollama serve\`.`);
}

/** The terminal event for an error that the server reports after its 200. */
export function errorEvent(text: string, request: FailedRequest): ErrorEvent {
  const { kind, message, contextOverflow, retryable } = refine({ kind: "provider", message: text }, request);
  return {
    type: "error",
    error: message,
    kind,
    ...(contextOverflow !== undefined && { contextOverflow }),
    ...(retryable !== undefined && { retryable }),
  };
}

function overflow(base: ClassifiedError, { model, window, estimatedTokens }: FailedRequest): ClassifiedError {
  const stated = base.contextOverflow ?? {};
  const needed =
    numberIn(base.message, /n_prompt_tokens\D{1,6}(\d+)|request \((\d+) tokens\)/) ??
    stated.needed ??
    estimatedTokens;
  const room =
    numberIn(base.message, /n_ctx\D{1,6}(\d+)|context size \((\d+) tokens\)/) ?? stated.window ?? window;
  return {
    ...base,
    kind: "provider",
    message: `The request needs about ${needed} tokens, but ${model} has a context window of ${room}. Shorten the conversation, or raise the setting contextWindow if the model and the memory allow it.`,
    contextOverflow: { window: room, needed },
    retryable: false,
  };
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  return found === undefined ? undefined : Number(found);
}

function helped(base: ClassifiedError, remedy: string): ClassifiedError {
  return { ...base, message: `${base.message.replace(/[.\s]*$/, "")}. ${remedy}` };
}
