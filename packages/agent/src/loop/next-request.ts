import type { RunMemory } from "./loop-state.js";
import type { LoopEffect, Step } from "./loop-step.js";

/** Another round: what waits joins the context first. */
export function prepare(memory: RunMemory, first: readonly LoopEffect[] = []): Step {
  return { state: { name: "preparing", memory }, effects: [...first, { type: "prepare" }] };
}

/** Sends the context as it is, for the first time or again. */
export function request(memory: RunMemory): Step {
  return { state: { name: "requesting", memory }, effects: [{ type: "request", tokens: memory.tokens }] };
}
