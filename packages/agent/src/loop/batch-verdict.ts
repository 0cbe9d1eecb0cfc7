import type { BudgetStop } from "./budget.js";
import type { AfterStore, RunMemory } from "./loop-state.js";
import type { CallOutcome, LoopEffect, Step } from "./loop-step.js";
import { afterTurn } from "./next-request.js";
import { observeCalls } from "./repetition.js";
import { CANCELLED, end, stopFor } from "./run-end.js";

/** Responses in a row with cut calls that end the run. */
export const CUT_RESPONSES = 3;

/** What a finished batch means for the run. */
export function takeBatch(before: RunMemory, next: AfterStore, outcomes: readonly CallOutcome[]): Step {
  const cut = next.unrun === "cut" || outcomes.some((outcome) => outcome.cut === true);
  const verdict = observeCalls(before.repetition, outcomes, before.policy.repetition);
  const memory: RunMemory = {
    ...before,
    repetition: verdict.repetition,
    refused: refusedAfter(before.refused, outcomes),
    cutResponses: cut ? before.cutResponses + 1 : 0,
  };
  if (next.outcome !== undefined) return end(memory, next.outcome);
  if (memory.cancelled) return end(memory, CANCELLED);
  const stop = memory.cutResponses >= CUT_RESPONSES ? cutStop(memory.cutResponses) : verdict.stop;
  if (stop !== undefined) return stopFor(memory, stop);
  const hints = verdict.hints.flatMap((hint): LoopEffect[] => [
    { type: "emit", event: { type: "budget", action: "hint", ...hint } },
    { type: "system", text: hint.message },
  ]);
  return afterTurn(memory, { point: "batch" }, hints);
}

/** A refusal counts until a later call of the same tool succeeds. */
function refusedAfter(
  before: ReadonlyMap<string, string>,
  outcomes: readonly CallOutcome[],
): ReadonlyMap<string, string> {
  if (before.size === 0 && !outcomes.some(({ refused }) => refused !== undefined)) return before;
  const after = new Map(before);
  for (const { name, refused, succeeded } of outcomes) {
    if (refused !== undefined) after.set(name, refused);
    else if (succeeded) after.delete(name);
  }
  return after;
}

function cutStop(used: number): BudgetStop {
  const message = `${used} responses in a row had calls with cut arguments. Raise the model's output limit, or ask for smaller pieces.`;
  return { rule: "cut", used, limit: CUT_RESPONSES, message };
}
