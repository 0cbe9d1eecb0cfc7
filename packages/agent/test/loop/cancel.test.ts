import type { LoopInput } from "@ashlar/agent/loop";
import { describe, expect, it } from "vitest";
import {
  CANCEL,
  called,
  dispatched,
  done,
  failed,
  feed,
  PREPARED,
  RUN,
  STORED,
  said,
} from "../support/loop-inputs.js";

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
