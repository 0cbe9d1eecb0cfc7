import {
  idleState,
  type LoopEffect,
  type LoopInput,
  type LoopState,
  resultOf,
  step,
} from "@ashlar/agent/loop";
import type { AssistantMessage, Block, ErrorEvent, TerminalEvent } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const policy = {
  retry: { attempts: 3, base: 2_000, max: 30_000 },
  context: { cap: 0.9, turn: 0.4, assumedWindow: 200_000 },
  repetition: { stop: 8 },
};
const message = (...content: Block[]): AssistantMessage => ({ type: 3, content });
const said = message({ type: "text", text: "hi" });
const called = message({ type: "toolCall", callId: "a", name: "read", arguments: {} });
const usage = { inputTokens: 5, outputTokens: 1, source: "provider" } as const;

const PREPARED: LoopInput = { type: "prepared", tokens: 100, window: 10_000, received: false };
const STORED: LoopInput = { type: "stored", pending: false };
const answered = (terminal: TerminalEvent): LoopInput => ({
  type: "answered",
  terminal,
  now: 1_000,
  random: 0,
});
const done = (answer: AssistantMessage, rest: object = {}): LoopInput =>
  answered({ type: "done", message: answer, usage, ...rest });
const failed = (failure: Partial<ErrorEvent>): LoopInput =>
  answered({ type: "error", error: "broken", kind: "network", ...failure });
const dispatched = (...outcomes: object[]): LoopInput => ({
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
function feed(...inputs: LoopInput[]): { state: LoopState; effects: readonly LoopEffect[]; path: string[] } {
  let state = idleState(policy);
  let effects: readonly LoopEffect[] = [];
  const path: string[] = [];
  for (const input of inputs) {
    ({ state, effects } = step(state, input));
    path.push(state.name);
  }
  return { state, effects, path };
}
const typesOf = (effects: readonly LoopEffect[]) => effects.map(({ type }) => type);
const RUN: LoopInput = { type: "run" };
const CANCEL: LoopInput = { type: "cancel" };

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

describe("a failed request", () => {
  it("is sent again after a wait, and nothing of it is stored", () => {
    const first = feed(RUN, PREPARED, failed({}));
    expect(first.state.name).toBe("waiting");
    expect(first.effects).toMatchObject([
      { type: "discard" },
      {
        type: "emit",
        event: { type: "retry", reason: "failure", attempt: 2, delayMs: 2_000, kind: "network" },
      },
      { type: "wait", delayMs: 2_000 },
    ]);
    expect(feed(RUN, PREPARED, failed({}), { type: "waited" }).effects).toEqual([
      { type: "request", tokens: 100 },
    ]);
  });

  it("ends the run after the last attempt, with what arrived marked as incomplete", () => {
    const again: LoopInput[] = [failed({}), { type: "waited" }, failed({}), { type: "waited" }];
    const last = failed({ message: said });
    const { effects } = feed(RUN, PREPARED, ...again, last);
    expect(effects).toMatchObject([
      { type: "store", message: { content: said.content, error: "broken", incomplete: true } },
    ]);
    const { state } = feed(RUN, PREPARED, ...again, last, STORED);
    expect(state).toMatchObject({
      name: "ended",
      outcome: { kind: "network", error: "broken" },
      memory: { requests: 3 },
    });
  });

  it("counts attempts anew for the next request", () => {
    const hiccup: LoopInput[] = [PREPARED, failed({}), { type: "waited" }, failed({}), { type: "waited" }];
    const inputs = [RUN, ...hiccup, done(called), STORED, dispatched({}), ...hiccup, done(said), STORED];
    expect(feed(...inputs).state).toMatchObject({ name: "ended", outcome: { kind: "success" } });
  });

  it("throttles when the provider asks for too long a wait", () => {
    const limited = failed({ kind: "provider", status: 429, retryAfterMs: 3_600_000 });
    const { effects } = feed(RUN, PREPARED, limited, STORED);
    expect(effects).toMatchObject([
      { type: "emit", event: { type: "throttled", until: 3_601_000, waitMs: 3_600_000 } },
      { type: "end", outcome: { kind: "provider", httpStatus: 429, throttled: { until: 3_601_000 } } },
    ]);
    expect(feed(RUN, PREPARED, limited).effects).toMatchObject([
      { type: "store", message: { error: { message: "broken", retry: 3_600_000 } } },
    ]);
  });

  it("answers the calls that came with it without running them", () => {
    const refused = failed({ kind: "provider", status: 400, message: called });
    expect(feed(RUN, PREPARED, refused, STORED).effects).toMatchObject([
      { type: "dispatch", unrun: "failed" },
    ]);
    expect(feed(RUN, PREPARED, refused, STORED, dispatched({})).state).toMatchObject({
      name: "ended",
      outcome: { kind: "provider", httpStatus: 400 },
    });
  });

  it("of kind auth asks once whether the credentials changed", () => {
    const refused = failed({ kind: "auth", status: 401 });
    expect(feed(RUN, PREPARED, refused).effects).toEqual([{ type: "reload" }]);
    const changed: LoopInput = { type: "reloaded", changed: true };
    expect(typesOf(feed(RUN, PREPARED, refused, changed).effects)).toEqual(["discard", "emit", "wait"]);
    const twice = feed(RUN, PREPARED, refused, changed, { type: "waited" }, refused, STORED);
    expect(twice.state).toMatchObject({ name: "ended", outcome: { kind: "auth" }, memory: { requests: 2 } });
    const unchanged = feed(RUN, PREPARED, refused, { type: "reloaded", changed: false }, STORED);
    expect(unchanged.state).toMatchObject({
      name: "ended",
      outcome: { kind: "auth" },
      memory: { requests: 1 },
    });
  });
});

describe("an empty answer", () => {
  const empty = done(message());
  it("is asked for once more, at once", () => {
    expect(feed(RUN, PREPARED, empty).effects).toMatchObject([
      { type: "discard", failure: { type: "error", kind: "provider" } },
      { type: "emit", event: { type: "retry", reason: "empty", attempt: 2, delayMs: 0 } },
      { type: "wait", delayMs: 0 },
    ]);
    expect(feed(RUN, PREPARED, empty, { type: "waited" }, done(said), STORED).state).toMatchObject({
      outcome: { kind: "success" },
    });
  });

  it("is an error the second time", () => {
    expect(feed(RUN, PREPARED, empty, { type: "waited" }, empty, STORED).state).toMatchObject({
      outcome: { kind: "provider", error: "The model returned an empty answer." },
      memory: { requests: 2 },
    });
  });

  it.each([
    {
      why: "thinking alone",
      content: { type: "thinking", text: "hm" } as Block,
      reason: "stop",
      again: true,
    },
    { why: "blank text", content: { type: "text", text: " \n" } as Block, reason: "stop", again: true },
    {
      why: "the output limit",
      content: { type: "thinking", text: "hm" } as Block,
      reason: "length",
      again: false,
    },
    { why: "a refusal", content: { type: "text", text: "" } as Block, reason: "refusal", again: false },
  ])("is $why", ({ content, reason, again }) => {
    const { state } = feed(RUN, PREPARED, done(message(content), { doneReason: reason }));
    expect(state.name).toBe(again ? "waiting" : "storing");
  });
});

describe("calls that were cut", () => {
  const cut = done(called, { doneReason: "length" });
  const round: LoopInput[] = [
    PREPARED,
    cut,
    STORED,
    dispatched({ succeeded: false, cut: true, argumentsKey: "x" }),
  ];

  it("are answered, not run", () => {
    expect(feed(RUN, PREPARED, cut, STORED).effects).toMatchObject([{ type: "dispatch", unrun: "cut" }]);
  });

  it("end the run after three responses in a row", () => {
    const { state, path } = feed(RUN, ...round, ...round, ...round);
    expect(path.filter((name) => name === "requesting")).toHaveLength(3);
    expect(state).toMatchObject({
      name: "ended",
      outcome: { kind: "budget", stop: { rule: "cut", used: 3 } },
    });
  });

  it("start over after a response that was whole", () => {
    const whole: LoopInput[] = [PREPARED, done(called), STORED, dispatched({})];
    expect(feed(RUN, ...round, ...round, ...whole, ...round, ...round).state.name).toBe("preparing");
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

describe("a cancel", () => {
  it.each([
    { why: "while it prepares", inputs: [RUN], answer: [PREPARED] },
    {
      why: "while it asks",
      inputs: [RUN, PREPARED],
      answer: [failed({ kind: "cancelled", cancelled: true }), STORED],
    },
    {
      why: "while it asks, and the answer came anyway",
      inputs: [RUN, PREPARED],
      answer: [done(said), STORED],
    },
    { why: "while it asks, and the request failed", inputs: [RUN, PREPARED], answer: [failed({}), STORED] },
    { why: "while it waits", inputs: [RUN, PREPARED, failed({})], answer: [{ type: "waited" }] },
    {
      why: "while credentials are read",
      inputs: [RUN, PREPARED, failed({ kind: "auth" })],
      answer: [{ type: "reloaded", changed: true }, STORED],
    },
    { why: "while it stores an answer", inputs: [RUN, PREPARED, done(said)], answer: [STORED] },
    { why: "while it stores calls", inputs: [RUN, PREPARED, done(called)], answer: [STORED, dispatched({})] },
    { why: "while tools run", inputs: [RUN, PREPARED, done(called), STORED], answer: [dispatched({})] },
  ] as { why: string; inputs: LoopInput[]; answer: LoopInput[] }[])(
    "ends the run $why",
    ({ inputs, answer }) => {
      expect(feed(...inputs, CANCEL).effects).toEqual([{ type: "abort" }]);
      const { state } = feed(...inputs, CANCEL, ...answer);
      expect(state).toMatchObject({ name: "ended", outcome: { kind: "cancelled" } });
    },
  );

  it("answers calls that were not run", () => {
    expect(feed(RUN, PREPARED, done(called), CANCEL, STORED).effects).toMatchObject([
      { type: "dispatch", unrun: "cancelled" },
    ]);
  });

  it("changes nothing before the start, after the end, or the second time", () => {
    expect(feed(CANCEL).effects).toEqual([]);
    expect(feed(RUN, PREPARED, CANCEL, CANCEL).effects).toEqual([]);
    expect(feed(RUN, PREPARED, done(said), STORED, CANCEL).effects).toEqual([]);
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
    failed({ kind: "provider", status: 429, retryAfterMs: 1e9 }),
  ];
  switch (effect.type) {
    case "prepare":
      return { type: "prepared", tokens: 100 + fate * 10, window: 10_000, received: fate % 5 === 0 };
    case "request":
      return terminals[fate % terminals.length];
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
      let state = idleState(policy);
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
