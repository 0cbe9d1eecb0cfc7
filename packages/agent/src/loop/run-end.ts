import type { Usage } from "@ashlar/context";
import type { BudgetStop } from "./budget.js";
import { EXIT_CODES, type ResultKind } from "./exit-code.js";
import type { Outcome, RunMemory } from "./loop-state.js";
import type { LoopEffect, Step } from "./loop-step.js";
import { type ResultEvent, STREAM_VERSION } from "./stream-event.js";

export const CANCELLED: Outcome = Object.freeze({ kind: "cancelled", error: "cancelled" });

const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, source: "provider" });

/** The only way into the state `ended`. */
export function end(memory: RunMemory, outcome: Outcome): Step {
  const effects: LoopEffect[] = [];
  const { throttled, stop } = outcome;
  if (outcome.kind === "other" || outcome.kind === "usage") effects.push({ type: "abort" });
  if (throttled !== undefined) effects.push({ type: "emit", event: { type: "throttled", ...throttled } });
  if (stop !== undefined) effects.push({ type: "emit", event: { type: "budget", action: "stop", ...stop } });
  effects.push({ type: "end", outcome });
  return { state: { name: "ended", memory, outcome }, effects };
}

export function stopFor(memory: RunMemory, stop: BudgetStop): Step {
  return end(memory, { kind: "budget", error: stop.message, stop });
}

/** What a result tells of a run beside how it ended. */
type Memory = Pick<RunMemory, "requests" | "usage" | "message" | "doneReason" | "refused">;

/** The last event of a run. */
export function resultOf(memory: Memory, outcome: Outcome): ResultEvent {
  const kind = resultKind(memory, outcome);
  const { message, doneReason, refused } = memory;
  const { error, httpStatus, throttled, stop, stoppedBy } = outcome;
  return {
    type: "result",
    version: STREAM_VERSION,
    status: outcome.kind === "success" ? "completed" : outcome.kind === "cancelled" ? "cancelled" : "failed",
    kind,
    exitCode: EXIT_CODES[kind],
    requests: memory.requests,
    usage: memory.usage ?? NO_USAGE,
    ...(message !== undefined && { message }),
    ...(doneReason !== undefined && { doneReason }),
    ...(error !== undefined && { error }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(throttled !== undefined && { throttledUntil: throttled.until }),
    ...(stop !== undefined && { stop: { rule: stop.rule, used: stop.used, limit: stop.limit } }),
    ...(stoppedBy !== undefined && { stoppedBy }),
    ...(refused.size > 0 && { refused: [...refused].map(([tool, reason]) => ({ tool, reason })) }),
  };
}

function resultKind(memory: Memory, outcome: Outcome): ResultKind {
  return outcome.kind === "success" && memory.refused.size > 0 ? "refused" : outcome.kind;
}

const NOTHING: Memory = {
  requests: 0,
  usage: undefined,
  message: undefined,
  doneReason: undefined,
  refused: new Map(),
};

/** The result of a run that was cancelled before it began. */
export const NEVER_BEGAN: ResultEvent = Object.freeze(resultOf(NOTHING, CANCELLED));
