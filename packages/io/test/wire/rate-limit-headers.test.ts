import type { PlanUsage } from "@ashlar/context/provider";
import { expect, it } from "vitest";
import { chatWire } from "../../src/wire/openai-chat/index.js";
import { wireContext } from "./wire-context.js";

it.each([
  { why: "no header", headers: {}, expected: [] },
  { why: "values that are no counts", headers: { "x-ratelimit-limit-requests": "many" }, expected: [] },
  {
    why: "both quotas",
    headers: {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-remaining-tokens": "149984",
    },
    expected: [
      { quotas: { requests: { total: 60, remaining: 59, reset: "1s" }, tokens: { remaining: 149984 } } },
    ],
  },
])("reports the quota that the headers state: $why", ({ headers, expected }) => {
  const reports: PlanUsage[] = [];
  chatWire.reportPlanUsage?.(headers, wireContext({ reportPlanUsage: (usage) => reports.push(usage) }));
  expect(reports).toEqual(expected);
});
