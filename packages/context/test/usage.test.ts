import { addUsage, NO_USAGE, type Usage, usageFinalize, usageSummary } from "@ashlar/context";
import { describe, expect, it } from "vitest";

const provider: Usage = { inputTokens: 10, outputTokens: 2, source: "provider" };
const estimate: Usage = { inputTokens: 5, outputTokens: 1, source: "estimate" };

describe("a sum", () => {
  it.each([
    {
      why: "of provider counts is one",
      a: provider,
      b: provider,
      sum: { inputTokens: 20, outputTokens: 4, source: "provider" },
    },
    {
      why: "with an estimate in it is an estimate",
      a: provider,
      b: estimate,
      sum: { inputTokens: 15, outputTokens: 3, source: "estimate" },
    },
    { why: "starts at nothing", a: NO_USAGE, b: provider, sum: provider },
    {
      why: "adds costs and cached tokens where there are any",
      a: { ...provider, cost: 0.5 },
      b: { ...provider, cost: 0.25, cachedInputTokens: 4 },
      sum: { inputTokens: 20, outputTokens: 4, source: "provider", cost: 0.75, cachedInputTokens: 4 },
    },
  ])("$why", ({ a, b, sum }) => {
    expect(addUsage(a, b)).toEqual(sum);
  });
});

describe("what a provider reported", () => {
  const estimated = { inputTokens: 100, outputTokens: 50 };
  it.each([
    {
      why: "counts when both are there",
      reported: { inputTokens: 7, outputTokens: 0 },
      usage: { inputTokens: 7, outputTokens: 0, source: "provider" },
    },
    {
      why: "keeps cost and cached tokens",
      reported: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 2, cost: 0.1 },
      usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 2, source: "provider", cost: 0.1 },
    },
    {
      why: "is replaced by the estimate when one is missing",
      reported: { inputTokens: 7 },
      usage: { ...estimated, source: "estimate" },
    },
    {
      why: "is replaced when one is no number",
      reported: { inputTokens: 7, outputTokens: "3" },
      usage: { ...estimated, source: "estimate" },
    },
    {
      why: "is replaced when one is below zero",
      reported: { inputTokens: -1, outputTokens: 3 },
      usage: { ...estimated, source: "estimate" },
    },
    {
      why: "loses a cost that is no number",
      reported: { cost: Number.NaN },
      usage: { ...estimated, source: "estimate" },
    },
    { why: "may be nothing", reported: undefined, usage: { ...estimated, source: "estimate" } },
  ])("$why", ({ reported, usage }) => {
    expect(usageFinalize(reported, estimated)).toEqual(usage);
  });
});

it.each([
  {
    usage: { ...provider, inputTokens: 1_204_567, cachedInputTokens: 1000, cost: 0.01234 },
    text: "1,204,567 in (1,000 cached), 2 out, $0.0123",
  },
  { usage: estimate, text: "about 5 in, 1 out" },
])("reads as $text", ({ usage, text }) => {
  expect(usageSummary(usage)).toBe(text);
});
