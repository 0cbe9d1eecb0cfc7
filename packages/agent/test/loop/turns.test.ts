import { idleState, type LoopInput, type LoopState, resultOf, step } from "@ashlar/agent/loop";
import { describe, expect, it } from "vitest";
import {
  CANCEL,
  called,
  dispatched,
  done,
  PREPARED,
  policy,
  RUN,
  STORED,
  said,
  typesOf,
} from "../support/loop-inputs.js";

const WAITING: LoopInput = { type: "stored", pending: true };
const decided = (stoppedBy?: string, pending = false): LoopInput => ({ type: "decided", stoppedBy, pending });

/** Feeds a loop in which somebody decides after each turn. */
function feed(...inputs: LoopInput[]) {
  let state: LoopState = idleState({ ...policy, decided: true });
  let effects: ReturnType<typeof step>["effects"] = [];
  for (const input of inputs) ({ state, effects } = step(state, input));
  return { state, effects };
}
const ANSWER = [RUN, PREPARED, done(said)];
const BATCH = [RUN, PREPARED, done(called), STORED, dispatched({})];

describe("what of the queue joins", () => {
  it("is said with each preparation: at the start, after a batch, and where the model would stop", () => {
    const plain = (...inputs: LoopInput[]) => {
      let next = step(idleState(policy), RUN);
      for (const input of inputs) next = step(next.state, input);
      return next.effects;
    };
    expect(plain()).toEqual([{ type: "prepare", at: "start" }]);
    expect(plain(...BATCH.slice(1))).toEqual([{ type: "prepare", at: "batch" }]);
    expect(plain(PREPARED, done(said), WAITING)).toEqual([{ type: "prepare", at: "stop" }]);
  });

  it("is nothing behind a failure", () => {
    const failed: LoopInput = {
      type: "answered",
      terminal: { type: "error", kind: "malformed", error: "no" },
      now: 0,
      random: 0,
    };
    expect(feed(RUN, PREPARED, failed, WAITING).state.name).toBe("ended");
  });

  it("may have been taken back meanwhile: then the run ends well", () => {
    const { state } = feed(...ANSWER, WAITING, decided(undefined, true), { type: "unneeded" });
    expect(state).toMatchObject({ name: "ended", outcome: { kind: "success" } });
  });
});

describe("whoever decides after a turn", () => {
  it.each([
    { why: "a batch", inputs: BATCH },
    { why: "an answer", inputs: [...ANSWER, STORED] },
  ])("is asked after $why", ({ inputs }) => {
    const { state, effects } = feed(...inputs);
    expect(state.name).toBe("deciding");
    expect(typesOf(effects)).toEqual(["decide"]);
  });

  it("lets a batch go on and an answer end, unless something waits by then", () => {
    expect(feed(...BATCH, decided()).effects).toEqual([{ type: "prepare", at: "batch" }]);
    expect(feed(...ANSWER, STORED, decided()).state).toMatchObject({ outcome: { kind: "success" } });
    expect(feed(...ANSWER, STORED, decided(undefined, true)).effects).toEqual([
      { type: "prepare", at: "stop" },
    ]);
    expect(feed(...ANSWER, WAITING, decided()).state.name).toBe("ended");
  });

  it("ends the run well, and the result says who it was", () => {
    const { state } = feed(...BATCH, decided("enough", true));
    if (state.name !== "ended") throw new Error(state.name);
    expect(resultOf(state.memory, state.outcome)).toMatchObject({
      status: "completed",
      kind: "success",
      stoppedBy: "enough",
    });
  });

  it("is overruled by a cancel", () => {
    const { state } = feed(...BATCH, CANCEL, decided("enough"));
    expect(state).toMatchObject({ outcome: { kind: "cancelled" } });
  });

  it("is not asked when the run ends anyway", () => {
    const cut = [RUN, PREPARED, done(called, { doneReason: "length" }), STORED, dispatched({ cut: true })];
    expect(feed(...cut).state.name).toBe("deciding");
    const three = [...cut, ...[1, 2].flatMap(() => [decided(), ...cut.slice(1)])];
    expect(feed(...three).state).toMatchObject({ outcome: { stop: { rule: "cut" } } });
  });
});

it("sends nothing for a run that was cancelled before its request went out", () => {
  const { state } = feed(RUN, PREPARED, CANCEL, { type: "unneeded" });
  expect(state).toMatchObject({ outcome: { kind: "cancelled" }, memory: { requests: 0 } });
});

it("takes up the policy that a preparation brings", () => {
  const strict = { ...policy, decided: true };
  let next = step(idleState(policy), RUN);
  next = step(next.state, { ...PREPARED, policy: strict } as LoopInput);
  next = step(next.state, done(said));
  expect(step(next.state, STORED).state.name).toBe("deciding");
});
