import type { BudgetOptions } from "@ashlar/agent";
import { parseDuration } from "@ashlar/env";
import { isRecord } from "../task/plain-value.js";
import type { TaskBudget } from "../task/task.js";

/** Somebody seems to be there to ask, and then time would not count; a job's counts. */
const DEFAULT_DURATION = "4h";
const NUMBERS = ["requests", "tokens", "cost", "depth", "width", "repeats"] as const;

/**
 * The budget of a job: each limit of the task where the settings have none or a higher one. What the settings hold that
 * is no limit is left for the agent to refuse.
 */
export function narrowedBudget(settings: unknown, task: TaskBudget = {}): BudgetOptions {
  const held = isRecord(settings) ? settings : {};
  const limits: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const name of NUMBERS) {
    const [own, given] = [task[name], held[name]];
    if (own !== undefined) limits[name] = typeof given === "number" ? Math.min(own, given) : own;
  }
  return { ...limits, duration: narrowedDuration(held.duration, task.duration) };
}

function narrowedDuration(held: unknown, own: number | undefined): number | string | false {
  const given =
    typeof held === "number" || typeof held === "string" || held === false ? held : DEFAULT_DURATION;
  if (own === undefined) return given;
  return given === false ? own : Math.min(own, parseDuration(given, "budget.duration"));
}
