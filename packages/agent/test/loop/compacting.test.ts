import { compactionThreshold, type LoopInput, type LoopPolicy, resultOf } from "@ashlar/agent/loop";
import { describe, expect, it } from "vitest";
import {
  policy as base,
  CANCEL,
  called,
  compacted,
  dispatched,
  done,
  type Fed,
  failed,
  feedWith,
  RUN,
  STORED,
  said,
  typesOf,
} from "../support/loop-inputs.js";

const policy: LoopPolicy = { ...base, context: { ...base.context, autocompact: 0.4 } };
const feed = (...inputs: LoopInput[]): Fed => feedWith(policy, inputs);
const prepared = (tokens: number): LoopInput => ({
  type: "prepared",
  tokens,
  window: 10_000,
  received: false,
});
const overflow = failed({
  kind: "provider",
  status: 400,
  error: "too long",
  contextOverflow: { window: 8_000, needed: 9_000 },
});
const round = [done(called), STORED, dispatched({})];

it.each([
  { why: "a part of the window", window: 10_000, rest: {}, threshold: 4_000 },
  { why: "a part of the assumed window", window: undefined, rest: {}, threshold: 80_000 },
  { why: "the absolute limit of a huge window", window: 1_000_000, rest: {}, threshold: 200_000 },
  {
    why: "a part of a huge window without that limit",
    window: 1_000_000,
    rest: { autocompactMax: Number.POSITIVE_INFINITY },
    threshold: 400_000,
  },
  { why: "never", window: 10_000, rest: { autocompact: 0 }, threshold: Number.POSITIVE_INFINITY },
])("the threshold is $why", ({ window, rest, threshold }) => {
  expect(compactionThreshold({ ...policy.context, ...rest }, window)).toBe(threshold);
});

describe("a request that has reached the threshold", () => {
  it("waits for the compaction, goes out, and begins another turn as far as its growth counts", () => {
    expect(feed(RUN, prepared(3_999)).path.at(-1)).toBe("requesting");
    const { effects, path } = feed(RUN, prepared(4_000));
    expect(path.at(-1)).toBe("compacting");
    expect(effects).toEqual([{ type: "compact", reason: "threshold", window: 10_000, needed: undefined }]);
    const after = feed(RUN, prepared(4_000), compacted("done", 900));
    expect(after.state).toMatchObject({
      name: "requesting",
      memory: { tokens: 900, turnStart: 900, requests: 1, usage: { inputTokens: 5 } },
    });
  });

  it("is not held up again before the conversation has grown by a tenth of the window", () => {
    for (const status of ["done", "nothing", "failed"] as const) {
      const again = (tokens: number) =>
        feed(RUN, prepared(4_000), compacted(status, 4_100), ...round, prepared(tokens)).path.at(-1);
      expect([again(5_099), again(5_100)]).toEqual(["requesting", "compacting"]);
    }
  });

  it("goes out after a failed compaction while there is room, and is stopped with the reason when there is none", () => {
    expect(feed(RUN, prepared(8_999), compacted("failed", 8_999)).path.at(-1)).toBe("requesting");
    const { state } = feed(RUN, prepared(9_000), compacted("failed", 9_000));
    expect(state).toMatchObject({ outcome: { kind: "budget", stop: { rule: "context" } } });
    expect(state).toMatchObject({ outcome: { error: expect.stringContaining("no summary") } });
  });

  it("is given up when the run was cancelled meanwhile", () => {
    const { effects } = feed(RUN, prepared(4_000), CANCEL);
    expect(effects).toEqual([{ type: "abort" }]);
    expect(feed(RUN, prepared(4_000), CANCEL, compacted("failed", 4_000)).state).toMatchObject({
      outcome: { kind: "cancelled" },
    });
  });

  it("is stopped by the guards as before where nothing could be compacted", () => {
    expect(feed(RUN, prepared(9_000), compacted("nothing", 9_000)).state).toMatchObject({
      outcome: { kind: "budget", stop: { rule: "context", used: 9_000, limit: 9_000 } },
    });
  });
});

describe("a request that did not fit", () => {
  it("gives out its end, is compacted for and sent again, with the numbers of the provider", () => {
    const { effects, path } = feed(RUN, prepared(3_000), overflow);
    expect(path.at(-1)).toBe("compacting");
    expect(typesOf(effects)).toEqual(["discard", "compact"]);
    expect(effects[1]).toMatchObject({ reason: "overflow", window: 8_000, needed: 9_000 });
    expect(feed(RUN, prepared(3_000), overflow, compacted("done", 900)).path.at(-1)).toBe("requesting");
  });

  it("is an error the second time, and may be compacted for again in the next request", () => {
    const again = [RUN, prepared(3_000), overflow, compacted("done", 900)];
    const second = feed(...again, overflow, STORED);
    if (second.state.name !== "ended") throw new Error(second.state.name);
    expect(resultOf(second.state.memory, second.state.outcome)).toMatchObject({
      kind: "provider",
      exitCode: 4,
      httpStatus: 400,
      requests: 3,
      error: expect.stringMatching(/even after compaction.*9000.*8000/),
    });
    expect(feed(...again, ...round, prepared(3_000), overflow).path.at(-1)).toBe("compacting");
  });

  it.each(["nothing", "failed"] as const)(
    "ends the run with the numbers when the compaction came to: %s",
    (status) => {
      const { state } = feed(RUN, prepared(3_000), overflow, compacted(status, 3_000));
      expect(state).toMatchObject({
        outcome: { kind: "provider", httpStatus: 400, error: expect.stringMatching(/9000.*8000.*too long/) },
      });
    },
  );

  it("is an error at once where nothing is compacted unasked", () => {
    const { path, state } = feedWith(base, [RUN, prepared(3_000), overflow]);
    expect(path.at(-1)).toBe("storing");
    expect(state).toMatchObject({
      next: { outcome: { error: expect.stringContaining("context.autocompact") } },
    });
  });
});

it("names compaction as the remedy where it is off", () => {
  const { state } = feedWith(base, [RUN, prepared(9_500)]);
  expect(state).toMatchObject({ outcome: { error: expect.stringContaining("context.autocompact") } });
  const on = feed(RUN, prepared(9_500), compacted("nothing", 9_500));
  expect(on.state).toMatchObject({ outcome: { error: expect.not.stringContaining("context.autocompact") } });
});

it("an answer to nothing ends the run", () => {
  expect(feed(RUN, prepared(100), compacted("done", 100)).state).toMatchObject({
    outcome: { kind: "other" },
  });
  expect(feed(RUN, prepared(100), done(said), STORED).state).toMatchObject({ outcome: { kind: "success" } });
});
