import { guardContext } from "@ashlar/agent/loop";
import { expect, it } from "vitest";

const policy = { cap: 0.9, turn: 0.4, assumedWindow: 200_000, autocompact: 0.4, autocompactMax: 200_000 };

it.each([
  { why: "just below the cap", tokens: 899, turnStart: 899, window: 1_000, rule: undefined },
  { why: "at the cap", tokens: 900, turnStart: 900, window: 1_000, rule: "context" },
  { why: "a turn just below its share", tokens: 499, turnStart: 100, window: 1_000, rule: undefined },
  { why: "a turn that took its share", tokens: 500, turnStart: 100, window: 1_000, rule: "turn" },
  { why: "an unknown window, small", tokens: 50_000, turnStart: 0, window: undefined, rule: undefined },
  {
    why: "an unknown window, grown by 80,000",
    tokens: 80_000,
    turnStart: 0,
    window: undefined,
    rule: "turn",
  },
  { why: "an unknown window, full", tokens: 180_000, turnStart: 170_000, window: undefined, rule: "context" },
])("$why: $rule", ({ tokens, turnStart, window, rule }) => {
  expect(guardContext({ tokens, turnStart, window }, policy)?.rule).toBe(rule);
});

it("says both numbers and the setting", () => {
  const stop = guardContext({ tokens: 950, turnStart: 0, window: 1_000 }, policy);
  expect(stop).toMatchObject({ used: 950, limit: 900 });
  expect(stop?.message).toContain("context.cap");
});
