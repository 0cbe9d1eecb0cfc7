import { describe, expect, it } from "vitest";
import { LearnedWindow } from "../src/learned-window.js";

describe("the window that a refusal tells", () => {
  it.each([
    {
      why: "it is the only word",
      known: undefined,
      overflow: { window: 4_096, needed: 5_000 },
      expected: 4_096,
    },
    { why: "it is less than what was known", known: 32_768, overflow: { window: 4_096 }, expected: 4_096 },
    { why: "it is more than what was known", known: 2_048, overflow: { window: 4_096 }, expected: 2_048 },
    { why: "it has no number", known: 32_768, overflow: { needed: 40_000 }, expected: 32_768 },
    { why: "the number can be no window", known: undefined, overflow: { window: 64 }, expected: undefined },
    {
      why: "the request was smaller by far",
      known: undefined,
      overflow: { window: 1_000_000, needed: 900_000 },
      expected: undefined,
    },
  ])("counts or not: $why", ({ known, overflow, expected }) => {
    const window = new LearnedWindow();
    window.learn(overflow, 5_000);
    expect(window.within(known)).toBe(expected);
  });
});
