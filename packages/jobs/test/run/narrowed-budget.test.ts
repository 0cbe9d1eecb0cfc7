import { expect, it } from "vitest";
import { narrowedBudget } from "../../src/run/narrowed-budget.js";

it.each([
  {
    why: "time counts although somebody seems to be there",
    settings: undefined,
    task: {},
    budget: { duration: "4h" },
  },
  { why: "the settings' time stays", settings: { duration: "1h" }, task: {}, budget: { duration: "1h" } },
  {
    why: "no limit of time stays none",
    settings: { duration: false },
    task: {},
    budget: { duration: false },
  },
  {
    why: "a task lowers",
    settings: { requests: 200, duration: "1h" },
    task: { requests: 20, duration: 60_000 },
    budget: { requests: 20, duration: 60_000 },
  },
  {
    why: "a task does not raise",
    settings: { requests: 5, duration: "1m", depth: 0 },
    task: { requests: 20, duration: 3_600_000, depth: 3 },
    budget: { requests: 5, duration: 60_000, depth: 0 },
  },
  {
    why: "a task limits what the settings do not",
    settings: { cost: false, duration: false },
    task: { cost: 0.5, duration: 60_000 },
    budget: { cost: 0.5, duration: 60_000 },
  },
])("$why", ({ settings, task, budget }) => {
  expect(narrowedBudget(settings, task)).toEqual(budget);
});
