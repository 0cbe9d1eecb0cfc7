import { addUsage, type ErrorEvent } from "@ashlar/context";
import type { BudgetStop } from "./budget.js";
import { compactionThreshold, nextCompactionAt } from "./compaction-trigger.js";
import { guardContext, largestText } from "./context-guard.js";
import type { CompactionCause, Outcome, RunMemory } from "./loop-state.js";
import type { CompactedInput, Step } from "./loop-step.js";
import { request } from "./next-request.js";
import { CANCELLED, end, stopFor } from "./run-end.js";

/** Sends the request at hand, unless the conversation has to be compacted first or has grown too large. */
export function requestOrCompact(memory: RunMemory): Step {
  const { policy, tokens, window } = memory;
  if (tokens >= compactionThreshold(policy.context, window) && tokens >= memory.compactAt) {
    return {
      state: { name: "compacting", memory, cause: { reason: "threshold" } },
      effects: [{ type: "compact", reason: "threshold", window, needed: undefined }],
    };
  }
  const stop = guard(memory);
  return stop === undefined ? request(memory) : stopFor(memory, stop);
}

/** Once for each request, and only where anything is compacted unasked. */
export function mayCompactAfterOverflow({ overflowed, policy }: RunMemory): boolean {
  return !overflowed && policy.context.autocompact > 0;
}

/** The request did not fit: gives out its end, then compacts. */
export function compactAfterOverflow(before: RunMemory, failure: ErrorEvent): Step {
  const memory: RunMemory = { ...before, overflowed: true };
  const { window = memory.window, needed } = failure.contextOverflow ?? {};
  return {
    state: { name: "compacting", memory, cause: { reason: "overflow", failure } },
    effects: [
      { type: "discard", failure },
      { type: "compact", reason: "overflow", window, needed },
    ],
  };
}

/** The request goes out when there is room now, or when there was before; else the run ends with the numbers. */
export function takeCompacted(before: RunMemory, cause: CompactionCause, input: CompactedInput): Step {
  const { tokens, requests, usage, largest } = input;
  const spent = usage === undefined || before.usage === undefined ? usage : addUsage(before.usage, usage);
  const memory: RunMemory = {
    ...before,
    tokens,
    largest,
    turnStart: input.status === "done" ? tokens : before.turnStart,
    compactAt: nextCompactionAt(tokens, before.policy.context, before.window),
    requests: before.requests + requests,
    usage: spent ?? before.usage,
  };
  if (memory.cancelled) return end(memory, CANCELLED);
  if (cause.reason === "overflow") {
    if (input.status === "done") return request(memory);
    return end(memory, overflowOutcome(memory, cause.failure, input));
  }
  const stop = guard(memory);
  if (stop === undefined) return request(memory);
  if (input.error === undefined) return stopFor(memory, stop);
  return stopFor(memory, { ...stop, message: `${stop.message} Compaction failed: ${input.error}` });
}

/** Says with numbers that a request did not fit, and what would help. */
export function overflowText(memory: RunMemory, { error, contextOverflow }: ErrorEvent): string {
  const { policy, largest } = memory;
  const needed = contextOverflow?.needed ?? memory.tokens;
  const window = contextOverflow?.window ?? memory.window;
  const room = window ?? needed;
  const has = window === undefined ? "is smaller" : `has ${window}`;
  const when = memory.overflowed ? " even after compaction" : "";
  const remedy =
    policy.context.autocompact === 0
      ? "Switch context.autocompact on, compact by hand, or remove messages."
      : "Start a new session, or remove messages.";
  const what = `The request does not fit${when}: it needs about ${needed} tokens, and the window ${has}.`;
  const cause = largestText(largest, room, Math.max(1, needed / memory.tokens));
  return [what, cause, remedy, `The provider said: ${error}`].filter((part) => part !== undefined).join(" ");
}

function overflowOutcome(memory: RunMemory, failure: ErrorEvent, { error }: CompactedInput): Outcome {
  const reason = error === undefined ? "There was nothing to compact." : `Compaction failed: ${error}`;
  const text = overflowText({ ...memory, overflowed: false }, failure);
  return {
    kind: failure.kind ?? "provider",
    error: `${text} ${reason}`,
    ...(failure.status !== undefined && { httpStatus: failure.status }),
  };
}

function guard({ tokens, turnStart = tokens, window, largest, policy }: RunMemory): BudgetStop | undefined {
  return guardContext({ tokens, turnStart, window, largest }, policy.context);
}
