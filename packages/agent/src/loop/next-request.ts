import type { RunMemory, TurnEnd } from "./loop-state.js";
import type { LoopEffect, PollPoint, Step } from "./loop-step.js";
import { end } from "./run-end.js";

/** Another round: what waits joins the context first. */
export function prepare(memory: RunMemory, at: PollPoint, first: readonly LoopEffect[] = []): Step {
  return { state: { name: "preparing", memory }, effects: [...first, { type: "prepare", at }] };
}

/** What follows a turn that did not end the run, once whoever decides was asked. */
export function afterTurn(memory: RunMemory, at: TurnEnd, first: readonly LoopEffect[] = []): Step {
  if (memory.policy.decided) {
    return { state: { name: "deciding", memory, at }, effects: [...first, { type: "decide" }] };
  }
  return goOn(memory, at, first);
}

/** The model has more to do after calls; after an answer it has only when something waits. */
export function goOn(memory: RunMemory, at: TurnEnd, first: readonly LoopEffect[] = []): Step {
  if (at.point === "batch" || at.pending) return prepare(memory, at.point, first);
  return end(memory, { kind: "success" });
}

/** Sends the context as it is, for the first time or again. */
export function request(memory: RunMemory): Step {
  return { state: { name: "requesting", memory }, effects: [{ type: "request", tokens: memory.tokens }] };
}
