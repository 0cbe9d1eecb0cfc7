import {
  idleState,
  type LoopEffect,
  type LoopInput,
  type LoopPolicy,
  type LoopState,
  step,
} from "@ashlar/agent/loop";
import type { AssistantMessage, Block, ErrorEvent, TerminalEvent } from "@ashlar/context";

export const policy: LoopPolicy = {
  retry: { attempts: 3, base: 2_000, max: 30_000 },
  context: { cap: 0.9, turn: 0.4, assumedWindow: 200_000, autocompact: 0, autocompactMax: 200_000 },
  repetition: { stop: 8 },
  decided: false,
};
export const message = (...content: Block[]): AssistantMessage => ({ type: 3, content });
export const said = message({ type: "text", text: "hi" });
export const called = message({ type: "toolCall", callId: "a", name: "read", arguments: {} });
export const usage = { inputTokens: 5, outputTokens: 1, source: "provider" } as const;

export const PREPARED: LoopInput = { type: "prepared", tokens: 100, window: 10_000, received: false };
export const STORED: LoopInput = { type: "stored", pending: false };
export const answered = (terminal: TerminalEvent): LoopInput => ({
  type: "answered",
  terminal,
  now: 1_000,
  random: 0,
});
export const done = (answer: AssistantMessage, rest: object = {}): LoopInput =>
  answered({ type: "done", message: answer, usage, ...rest });
export const failed = (failure: Partial<ErrorEvent>): LoopInput =>
  answered({ type: "error", error: "broken", kind: "network", ...failure });
export const compacted = (status: "done" | "nothing" | "failed", tokens: number): LoopInput => ({
  type: "compacted",
  status,
  tokens,
  largest: undefined,
  requests: 1,
  usage,
  ...(status === "failed" && { error: "no summary" }),
});
export const dispatched = (...outcomes: object[]): LoopInput => ({
  type: "dispatched",
  outcomes: outcomes.map((outcome, index) => ({
    name: "read",
    argumentsKey: "{}",
    resultKey: String(index),
    changed: false,
    succeeded: true,
    ...outcome,
  })),
});

/** Feeds inputs to a fresh loop; `said` is the effects of the last one. */
export function feed(...inputs: LoopInput[]): Fed {
  return feedWith(policy, inputs);
}

export interface Fed {
  state: LoopState;
  effects: readonly LoopEffect[];
  path: string[];
}

export function feedWith(own: LoopPolicy, inputs: readonly LoopInput[]): Fed {
  let state = idleState(own);
  let effects: readonly LoopEffect[] = [];
  const path: string[] = [];
  for (const input of inputs) {
    ({ state, effects } = step(state, input));
    path.push(state.name);
  }
  return { state, effects, path };
}
export const typesOf = (effects: readonly LoopEffect[]) => effects.map(({ type }) => type);
export const RUN: LoopInput = { type: "run" };
export const CANCEL: LoopInput = { type: "cancel" };
