import { takeBatch } from "./batch-verdict.js";
import { requestOrCompact, takeCompacted } from "./compacting.js";
import type { AfterStore, LoopState, RunMemory, TurnEnd } from "./loop-state.js";
import type { LoopInput, PreparedInput, Step } from "./loop-step.js";
import { afterTurn, goOn, prepare, request } from "./next-request.js";
import { takeReload, takeResponse } from "./response-verdict.js";
import { CANCELLED, end, stopFor } from "./run-end.js";

/** The loop, one input at a time. Pure: the caller performs the effects and answers with the next input. */
export function step(state: LoopState, input: LoopInput): Step {
  if (state.name === "ended") return { state, effects: [] };
  const { memory } = state;
  if (input.type === "cancel") return cancel(state);
  if (input.type === "fault") return end(memory, { kind: input.kind, error: input.error });
  return (
    advance(state, input) ??
    end(memory, { kind: "other", error: `The loop got "${input.type}" while it was ${state.name}.` })
  );
}

/** Undefined for an input that the state does not wait for. */
function advance(state: Exclude<LoopState, { name: "ended" }>, input: LoopInput): Step | undefined {
  const { memory } = state;
  switch (state.name) {
    case "idle":
      return input.type === "run" ? prepare(memory, "start") : undefined;
    case "preparing":
      if (input.type === "unneeded") return takeUnneeded(memory);
      return input.type === "prepared" ? takeMeasure(memory, input) : undefined;
    case "compacting":
      return input.type === "compacted" ? takeCompacted(memory, state.cause, input) : undefined;
    case "requesting":
      if (input.type === "denied") return stopFor(memory, input.stop);
      if (input.type === "unneeded") return takeUnneeded(memory);
      return input.type === "answered" ? takeResponse(memory, input) : undefined;
    case "reloading":
      return input.type === "reloaded" ? takeReload(memory, state.failure, input.changed) : undefined;
    case "waiting":
      return input.type === "waited" ? takeWaited(memory) : undefined;
    case "storing":
      return input.type === "stored" ? takeStored(memory, state.next, input.pending) : undefined;
    case "dispatching":
      return input.type === "dispatched" ? takeBatch(memory, state.next, input.outcomes) : undefined;
    case "deciding":
      return input.type === "decided" ? takeDecision(memory, state.at, input) : undefined;
  }
}

/** What is under way is aborted; its answer then ends the run, whatever it is. */
function cancel(state: Exclude<LoopState, { name: "ended" }>): Step {
  if (state.name === "idle" || state.memory.cancelled) return { state, effects: [] };
  return { state: { ...state, memory: { ...state.memory, cancelled: true } }, effects: [{ type: "abort" }] };
}

function takeMeasure(before: RunMemory, input: PreparedInput): Step {
  const { tokens, window, received, largest, policy = before.policy } = input;
  const turnStart = before.turnStart === undefined || received ? tokens : before.turnStart;
  const memory: RunMemory = {
    ...before,
    policy,
    tokens,
    turnStart,
    window,
    largest,
    overflowed: false,
    tries: 0,
    failures: 0,
    reloaded: false,
    emptyAnswers: 0,
  };
  return memory.cancelled ? end(memory, CANCELLED) : requestOrCompact(memory);
}

function takeWaited(memory: RunMemory): Step {
  return memory.cancelled ? end(memory, CANCELLED) : request(memory);
}

function takeStored(memory: RunMemory, next: AfterStore, pending: boolean): Step {
  const { calls } = next;
  if (calls.length > 0) {
    const after: AfterStore = memory.cancelled ? { unrun: "cancelled", outcome: CANCELLED, ...next } : next;
    return {
      state: { name: "dispatching", memory, next: after },
      effects: [{ type: "dispatch", calls, unrun: after.unrun }],
    };
  }
  if (next.outcome !== undefined) return end(memory, next.outcome);
  if (memory.cancelled) return end(memory, CANCELLED);
  return afterTurn(memory, { point: "stop", pending });
}

function takeDecision(
  memory: RunMemory,
  at: TurnEnd,
  { stoppedBy, pending }: Extract<LoopInput, { type: "decided" }>,
): Step {
  if (memory.cancelled) return end(memory, CANCELLED);
  if (stoppedBy !== undefined) return end(memory, { kind: "success", stoppedBy });
  return goOn(memory, at.point === "stop" ? { ...at, pending } : at);
}

function takeUnneeded(memory: RunMemory): Step {
  return end(memory, memory.cancelled ? CANCELLED : { kind: "success" });
}
