import { addUsage, type DoneEvent, type ErrorEvent } from "@ashlar/context";
import { failedMessage, localCalls } from "./answer.js";
import { compactAfterOverflow, mayCompactAfterOverflow, overflowText } from "./compacting.js";
import type { AfterStore, Outcome, RunMemory } from "./loop-state.js";
import type { AnsweredInput, LoopEffect, Step } from "./loop-step.js";
import { judgeFailure } from "./retry.js";
import { CANCELLED, end } from "./run-end.js";
import type { RetryEvent } from "./stream-event.js";
import { classifyTerminal } from "./terminal-state.js";

const LONGEST_WAIT_MS = 100 * 365 * 86_400_000;

/** What the end of one request means for the run. */
export function takeResponse(before: RunMemory, input: AnsweredInput): Step {
  const { usage } = input.terminal;
  const memory: RunMemory = {
    ...before,
    requests: before.requests + 1,
    tries: before.tries + 1,
    usage:
      usage === undefined || before.usage === undefined
        ? (usage ?? before.usage)
        : addUsage(before.usage, usage),
  };
  return takeTerminal(memory, input);
}

/** What an `auth` failure means once the stored credentials were read again. */
export function takeReload(memory: RunMemory, failure: ErrorEvent, changed: boolean): Step {
  if (memory.cancelled) {
    const { state, effects } = end(memory, CANCELLED);
    return { state, effects: [{ type: "discard", failure }, ...effects] };
  }
  if (!changed) return fail(memory, failure);
  return sendAgain(memory, failure, { reason: "auth", delayMs: 0 });
}

function takeTerminal(memory: RunMemory, input: AnsweredInput): Step {
  const state = classifyTerminal(input.terminal, memory.cancelled);
  switch (state.kind) {
    case "answer":
      return storeAnswer(memory, state.done, { calls: state.calls });
    case "cut":
      return storeAnswer(memory, state.done, { calls: state.calls, unrun: "cut" });
    case "refused":
      return storeAnswer(memory, state.done, { calls: state.calls, unrun: "refused", outcome: REFUSED });
    case "empty":
      return askOnceMore(memory, state.failure);
    case "cancelled":
      return storeFailure(memory, state.failure, { unrun: "cancelled", outcome: CANCELLED });
    case "overflow":
      if (mayCompactAfterOverflow(memory)) return compactAfterOverflow(memory, state.failure);
      return fail(memory, { ...state.failure, error: overflowText(memory, state.failure) });
    case "failed":
      return takeFailure(memory, state.failure, input);
  }
}

const REFUSED: Outcome = Object.freeze({
  kind: "provider",
  error: "The model refused to go on, and none of the calls it had begun was run.",
});

function storeAnswer(before: RunMemory, done: DoneEvent, next: AfterStore): Step {
  const { message, doneReason } = done;
  const memory: RunMemory = { ...before, message, doneReason };
  const stops = next.calls.length === 0 && next.outcome === undefined;
  return {
    state: { name: "storing", memory, next },
    effects: [{ type: "store", terminal: done, message, stops }],
  };
}

function takeFailure(memory: RunMemory, failure: ErrorEvent, { now, random }: AnsweredInput): Step {
  const { failures, reloaded } = memory;
  const verdict = judgeFailure({ failure, attempt: failures + 1, reloaded, random }, memory.policy.retry);
  switch (verdict.action) {
    case "fail":
      return fail(memory, failure);
    case "reload": {
      const next: RunMemory = { ...memory, reloaded: true };
      return { state: { name: "reloading", memory: next, failure }, effects: [{ type: "reload" }] };
    }
    case "retry":
      return sendAgain({ ...memory, failures: failures + 1 }, failure, {
        reason: "failure",
        delayMs: verdict.delayMs,
      });
    case "throttle": {
      const waitMs = Math.min(verdict.waitMs, LONGEST_WAIT_MS);
      return fail(memory, failure, { until: now + waitMs, waitMs });
    }
  }
}

function askOnceMore(memory: RunMemory, failure: ErrorEvent): Step {
  if (memory.emptyAnswers > 0) return fail(memory, failure);
  return sendAgain({ ...memory, emptyAnswers: 1 }, failure, { reason: "empty", delayMs: 0 });
}

/** Nothing of the failed request is stored. */
function sendAgain(
  memory: RunMemory,
  failure: ErrorEvent,
  { reason, delayMs }: Pick<RetryEvent, "reason" | "delayMs">,
): Step {
  const event: RetryEvent = {
    type: "retry",
    reason,
    attempt: memory.tries + 1,
    delayMs,
    kind: failure.kind ?? "provider",
    error: failure.error,
    ...(failure.status !== undefined && { status: failure.status }),
  };
  const effects: LoopEffect[] = [
    { type: "discard", failure },
    { type: "emit", event },
  ];
  return { state: { name: "waiting", memory }, effects: [...effects, { type: "wait", delayMs }] };
}

function fail(memory: RunMemory, failure: ErrorEvent, throttled?: Outcome["throttled"]): Step {
  const kind = failure.kind ?? "provider";
  const until = throttled && `; it can be sent again at ${new Date(throttled.until).toISOString()}`;
  const outcome: Outcome = {
    kind,
    error: `${failure.error}${until ?? ""}`,
    ...(failure.status !== undefined && { httpStatus: failure.status }),
    ...(throttled !== undefined && { throttled }),
  };
  return storeFailure(memory, failure, { unrun: "failed", outcome });
}

function storeFailure(
  before: RunMemory,
  failure: ErrorEvent,
  { unrun, outcome }: Required<Pick<AfterStore, "unrun" | "outcome">>,
): Step {
  const message = failedMessage(failure, outcome.throttled?.waitMs);
  const memory: RunMemory = { ...before, message, doneReason: undefined };
  const calls = localCalls(message);
  return {
    state: { name: "storing", memory, next: { calls, unrun, outcome } },
    effects: [{ type: "store", terminal: failure, message, stops: false }],
  };
}
