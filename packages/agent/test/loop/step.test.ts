import { idleState, type LoopEffect, type LoopInput, resultOf, step } from "@ashlar/agent/loop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CANCEL,
  called,
  compacted,
  dispatched,
  done,
  failed,
  feed,
  message,
  PREPARED,
  policy,
  RUN,
  STORED,
  said,
  typesOf,
} from "../support/loop-inputs.js";

describe("a run", () => {
  it("prepares, asks, stores and ends", () => {
    const { path, effects } = feed(RUN, PREPARED, done(said), STORED);
    expect(path).toEqual(["preparing", "requesting", "storing", "ended"]);
    expect(effects).toEqual([{ type: "end", outcome: { kind: "success" } }]);
  });

  it("goes round through its calls", () => {
    const { path } = feed(RUN, PREPARED, done(called), STORED, dispatched({}), PREPARED, done(said), STORED);
    expect(path).toEqual([
      "preparing",
      "requesting",
      "storing",
      "dispatching",
      "preparing",
      "requesting",
      "storing",
      "ended",
    ]);
  });

  it("runs calls whatever word the response finished with", () => {
    expect(feed(RUN, PREPARED, done(called, { doneReason: "stop" }), STORED).effects).toMatchObject([
      { type: "dispatch", calls: [{ callId: "a" }], unrun: undefined },
    ]);
  });

  it("leaves calls alone that the provider executed", () => {
    const executed = message({
      type: "toolCall",
      callId: "a",
      name: "search",
      arguments: {},
      executed: true,
    });
    expect(feed(RUN, PREPARED, done(executed), STORED).path.at(-1)).toBe("ended");
  });

  it("takes up what was sent while the last answer came", () => {
    expect(feed(RUN, PREPARED, done(said), { type: "stored", pending: true }).path.at(-1)).toBe("preparing");
  });

  it("sums up requests and usage", () => {
    const { state } = feed(RUN, PREPARED, done(called), STORED, dispatched({}), PREPARED, done(said), STORED);
    if (state.name !== "ended") throw new Error(state.name);
    expect(resultOf(state.memory, state.outcome)).toMatchObject({
      kind: "success",
      exitCode: 0,
      requests: 2,
      usage: { inputTokens: 10, outputTokens: 2 },
      message: said,
    });
  });
});

describe("what stops a run", () => {
  it("is a budget that denies the request", () => {
    const stop = { rule: "requests", used: 200, limit: 200, message: "used up" } as const;
    const { effects } = feed(RUN, PREPARED, { type: "denied", stop });
    expect(effects).toMatchObject([
      { type: "emit", event: { type: "budget", action: "stop", rule: "requests" } },
      { type: "end", outcome: { kind: "budget", error: "used up", stop } },
    ]);
  });

  it("is a context that is nearly full, before the first request already", () => {
    const full: LoopInput = { type: "prepared", tokens: 9_000, window: 10_000, received: true };
    expect(feed(RUN, full).state).toMatchObject({ outcome: { kind: "budget", stop: { rule: "context" } } });
  });

  it("is a turn that grows too much, counted from the last user message", () => {
    const grown = (tokens: number, received = false): LoopInput => ({
      type: "prepared",
      tokens,
      window: 10_000,
      received,
    });
    const round = [done(called), STORED, dispatched({})];
    expect(feed(RUN, PREPARED, ...round, grown(4_200)).state).toMatchObject({
      outcome: { stop: { rule: "turn" } },
    });
    expect(feed(RUN, PREPARED, ...round, grown(4_200, true)).state.name).toBe("requesting");
  });

  it("is a loop, after the model was told", () => {
    const same: LoopInput[] = [PREPARED, done(called), STORED, dispatched({ resultKey: "same" })];
    const four = feed(RUN, ...same, ...same, ...same, ...same);
    expect(typesOf(four.effects)).toEqual(["emit", "system", "prepare"]);
    const eight = feed(RUN, ...Array.from({ length: 8 }, () => same).flat());
    expect(eight.state).toMatchObject({
      name: "ended",
      outcome: { kind: "budget", stop: { rule: "repeat", used: 8 } },
    });
  });

  it("is a failure of the host", () => {
    const { state, effects } = feed(RUN, PREPARED, done(said), {
      type: "fault",
      kind: "other",
      error: "disk full",
    });
    expect(state).toMatchObject({ outcome: { kind: "other", error: "disk full" } });
    expect(typesOf(effects)).toEqual(["abort", "end"]);
  });

  it("is an input that no state waits for", () => {
    expect(feed(RUN, { type: "waited" }).state).toMatchObject({ outcome: { kind: "other" } });
  });
});

describe("a refused call", () => {
  const refusal = dispatched({ name: "write", succeeded: false, refused: "no sandbox yet" });
  const kindAfter = (...rest: LoopInput[]) => {
    const { state } = feed(
      RUN,
      PREPARED,
      done(called),
      STORED,
      refusal,
      ...rest,
      PREPARED,
      done(said),
      STORED,
    );
    return state.name === "ended" ? resultOf(state.memory, state.outcome) : state.name;
  };

  it("makes a run that ended well a refused one", () => {
    expect(kindAfter()).toMatchObject({
      status: "completed",
      kind: "refused",
      exitCode: 7,
      refused: [{ tool: "write", reason: "no sandbox yet" }],
    });
  });

  it("is forgotten when a later call of that tool succeeds, and only then", () => {
    const round = (outcome: object): LoopInput[] => [PREPARED, done(called), STORED, dispatched(outcome)];
    expect(kindAfter(...round({ name: "write" }))).toMatchObject({ kind: "success" });
    expect(kindAfter(...round({ name: "write", succeeded: false }))).toMatchObject({ kind: "refused" });
    expect(kindAfter(...round({ name: "read" }))).toMatchObject({ kind: "refused" });
  });
});

/** One answer to an effect, as fate has it. */
function answerTo(effect: LoopEffect, fate: number): LoopInput | undefined {
  const terminals: LoopInput[] = [
    done(said),
    done(called),
    done(called, { doneReason: "length" }),
    done(message()),
    failed({}),
    failed({ kind: "provider", status: 400, message: called }),
    failed({ kind: "auth" }),
    failed({ idle: true, message: called }),
    done(called, { doneReason: "refusal" }),
    failed({ kind: "provider", status: 429, retryAfterMs: 1e9 }),
    failed({ kind: "provider", status: 400, contextOverflow: { window: 400, needed: 500 } }),
  ];
  switch (effect.type) {
    case "prepare":
      if (fate % 11 === 10) return { type: "unneeded" };
      return { type: "prepared", tokens: 100 + fate * 10, window: 10_000, received: fate % 5 === 0 };
    case "decide":
      return { type: "decided", stoppedBy: fate % 9 === 8 ? "hook" : undefined, pending: fate % 7 === 0 };
    case "request":
      if (fate === 39) return { type: "unneeded" };
      return terminals[fate % terminals.length];
    case "compact":
      return compacted(fate % 3 === 0 ? "done" : fate % 3 === 1 ? "nothing" : "failed", 100 + fate * 10);
    case "reload":
      return { type: "reloaded", changed: fate % 2 === 0 };
    case "wait":
      return { type: "waited" };
    case "store":
      return { type: "stored", pending: fate % 7 === 0 };
    case "dispatch":
      return dispatched(
        ...effect.calls.map(() => ({ resultKey: String(fate % 3), cut: effect.unrun === "cut" })),
      );
    default:
      return undefined;
  }
}

it("asks for one thing at a time and ends exactly once, whatever happens and whenever it is cancelled", () => {
  const fates = fc.array(fc.nat(40), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fates, fc.nat(80), (fate, cancelAt) => {
      let state = idleState({
        ...policy,
        context: { ...policy.context, autocompact: 0.03 },
        decided: cancelAt % 2 === 0,
      });
      let input: LoopInput | undefined = RUN;
      const seen: LoopEffect[] = [];
      for (let turn = 0; input !== undefined; turn += 1) {
        if (turn > 400) throw new Error("the loop does not end");
        const next = step(state, input);
        seen.push(...next.effects);
        const answers = next.effects.flatMap(
          (effect) => answerTo(effect, fate[turn % fate.length] ?? 0) ?? [],
        );
        expect(answers.length).toBe(next.state.name === "ended" ? 0 : 1);
        input = answers[0];
        state = turn === cancelAt ? step(next.state, CANCEL).state : next.state;
      }
      expect(state.name).toBe("ended");
      expect(seen.filter(({ type }) => type === "end")).toHaveLength(1);
      expect(seen.at(-1)?.type).toBe("end");
    }),
    { numRuns: 500 },
  );
});
