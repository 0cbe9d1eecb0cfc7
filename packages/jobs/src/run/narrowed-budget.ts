import type { BudgetOptions } from "@ashlar/agent";
import { parseDuration } from "@ashlar/env";
import { isRecord } from "../task/plain-value.js";
import type { TaskBudget } from "../task/task.js";

/** Nobody watches a job, so its time counts although somebody could be asked. */
const DEFAULT_DURATION = "4h";

/**
 * The budget of a job: where the task has a limit and the settings have none or a higher one, the task's. What the
 * settings hold that is no limit is left for the agent to refuse.
 */
export function narrowedBudget(settings: unknown, task: TaskBudget = {}): BudgetOptions {
  const held = isRecord(settings) ? settings : {};
  const duration = held.duration ?? DEFAULT_DURATION;
  const narrowed = (name: keyof TaskBudget): number | undefined => {
    const limit = task[name];
    if (limit === undefined) return undefined;
    return typeof held[name] === "number" && held[name] < limit ? held[name] : limit;
  };
  const limits = { ...task, duration: task.duration };
  const entries = Object.keys(limits)
    .filter(isLimitName)
    .filter((name) => name !== "duration")
    .map((name) => [name, narrowed(name)] as const)
    .filter(([, limit]) => limit !== undefined);
  return { ...Object.fromEntries(entries), duration: shorter(duration, task.duration) };
}

function shorter(held: unknown, own: number | undefined): number | string | false {
  if (held === false) return own ?? false;
  if (typeof held !== "number" && typeof held !== "string") return own ?? DEFAULT_DURATION;
  if (own === undefined) return held;
  return Math.min(own, parseDuration(held, "budget.duration"));
}

const NAMES: readonly (keyof TaskBudget)[] = [
  "requests",
  "tokens",
  "duration",
  "cost",
  "depth",
  "width",
  "repeats",
];

function isLimitName(name: string): name is keyof TaskBudget {
  return NAMES.some((known) => known === name);
}
