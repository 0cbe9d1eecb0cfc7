import {
  type Assembler,
  type DoneEvent,
  type DoneReason,
  type ErrorEvent,
  estimateTokens,
  type TerminalEvent,
  type Usage,
} from "@ashlar/context";
import type { ClassifiedError, ModelMetadata } from "@ashlar/context/provider";
import { isRetryable } from "../failure/classify.js";
import { redact } from "../failure/redact.js";

/** What is known when a request ends, beside how it ended. */
export interface Outcome {
  readonly assembler: Assembler;
  /** The model gave visible text or called a tool by name. */
  readonly answered: boolean;
  readonly warnings: readonly string[];
  /** Tokens of the request as estimated before it was sent. */
  readonly estimatedInput: number;
  readonly price: ModelMetadata["price"];
  readonly selector: string;
  /** The idle limit ended it. */
  readonly idle: boolean;
}

const DONE_REASONS: ReadonlySet<string> = new Set<DoneReason>([
  "stop",
  "length",
  "toolCalls",
  "refusal",
  "other",
]);

/** The terminal event of a success, or of an error when the model answered nothing. */
export function successEvent(event: DoneEvent, outcome: Outcome): TerminalEvent {
  if (!outcome.answered) return failureEvent(emptyAnswer(event, outcome), outcome, event.usage);
  const done: DoneEvent = {
    type: "done",
    ...(event.doneReason !== undefined && {
      doneReason: DONE_REASONS.has(event.doneReason) ? event.doneReason : "other",
    }),
  };
  outcome.assembler.push(done);
  return { ...done, ...assembled(outcome), usage: usageOf(event.usage, outcome) };
}

/** The terminal event of a failure. What arrived before stays, marked incomplete. */
export function failureEvent(failure: ClassifiedError, outcome: Outcome, usage?: Usage): ErrorEvent {
  const { kind, message, status, retryAfterMs, contextOverflow } = failure;
  const cancelled = kind === "cancelled";
  const error: ErrorEvent = {
    type: "error",
    error: cancelled ? "cancelled" : message,
    kind,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(contextOverflow !== undefined && { contextOverflow }),
    ...(cancelled && { cancelled: true }),
    retryable: isRetryable(failure),
    ...(outcome.idle && { idle: true as const }),
  };
  outcome.assembler.push(error);
  const arrived = outcome.assembler.message().content.length > 0;
  return {
    ...error,
    ...assembled(outcome),
    // A request that failed before its first event cost nothing that anybody knows of.
    ...((arrived || usage !== undefined) && { usage: usageOf(usage, outcome) }),
  };
}

/** A server or a provider may say as much as it likes; an event says as much as a person reads. */
const MAX_MESSAGE_CHARACTERS = 4000;

/** A failure as it may be shown: the credentials taken out of its text, which is bounded. */
export function presentable(failure: ClassifiedError, secrets: readonly string[]): ClassifiedError {
  const message = redact(failure.message, secrets);
  const cut = message.length > MAX_MESSAGE_CHARACTERS;
  return { ...failure, message: cut ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message };
}

const EMPTY_ANSWERS: Readonly<Record<string, string>> = {
  refusal: "the model refused, without an answer",
  length: "the output limit was reached before the model answered",
};

function emptyAnswer({ doneReason }: DoneEvent, { selector, assembler }: Outcome): ClassifiedError {
  const thought = assembler.message().content.some((block) => block.type === "thinking");
  const said =
    EMPTY_ANSWERS[doneReason ?? ""] ??
    (thought ? "the model only thought and answered nothing" : "the model answered nothing");
  return { kind: "provider", message: `${selector}: ${said}.`, retryable: doneReason !== "refusal" };
}

/** The provider's counts when it gave both, else an estimate; with the price when one is known. */
function usageOf(reported: Usage | undefined, outcome: Outcome): Usage {
  const usage =
    isCount(reported?.inputTokens) && isCount(reported.outputTokens) ? reported : estimate(outcome);
  const { price } = outcome;
  const cost =
    usage.cost ??
    (price && (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000);
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    ...(isCount(usage.cachedInputTokens) && { cachedInputTokens: usage.cachedInputTokens }),
    source: usage.source === "estimate" ? "estimate" : "provider",
    ...(isCount(cost) && { cost }),
  };
}

function estimate({ estimatedInput, assembler }: Outcome): Usage {
  const outputTokens = estimateTokens([assembler.message()]);
  return { inputTokens: estimatedInput, outputTokens, source: "estimate" };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function assembled({
  assembler,
  warnings,
}: Outcome): Pick<TerminalEvent, "message" | "results" | "warnings"> {
  const results = assembler.results();
  return {
    message: assembler.message(),
    ...(results.length > 0 && { results }),
    ...(warnings.length > 0 && { warnings }),
  };
}
