import { nearestName } from "@ashlar/context";
import { parseDuration } from "@ashlar/env";
import { isRecord, shown } from "./plain-value.js";
import type { TaskBudget } from "./task.js";

type Limit = keyof TaskBudget;

const LIMITS: Readonly<Record<Limit, (value: unknown) => number | undefined>> = {
  requests: whole(1),
  tokens: whole(1),
  duration: milliseconds,
  cost: (value) => (typeof value === "number" && value > 0 && Number.isFinite(value) ? value : undefined),
  depth: whole(0),
  width: whole(0),
  repeats: whole(2),
};
const NAMES = Object.keys(LIMITS);

function isLimit(name: string): name is Limit {
  return Object.hasOwn(LIMITS, name);
}

/** The limits of a task file; a text says which one is wrong. */
export function parseTaskBudget(value: unknown): TaskBudget | string {
  if (!isRecord(value)) return `budget: ${shown(value)} is no budget; write { requests: 20 }`;
  const limits: Partial<Record<Limit, number>> = {};
  for (const [name, given] of Object.entries(value)) {
    if (!isLimit(name)) {
      const near = nearestName(name, NAMES);
      return `budget has no limit "${name}"; ${near === undefined ? `its limits are ${NAMES.join(", ")}` : `did you mean "${near}"?`}`;
    }
    if (given === false)
      return `budget.${name}: a task may lower a limit, not switch it off; write a number or leave it out`;
    const limit = LIMITS[name](given);
    if (limit === undefined) return `budget.${name}: ${shown(given)} is no limit; ${wanted(name)}`;
    limits[name] = limit;
  }
  return limits;
}

function wanted(name: Limit): string {
  if (name === "duration") return "write a duration such as 30m";
  if (name === "cost") return "write US dollars, a number above 0";
  return `write a whole number from ${name === "depth" || name === "width" ? 0 : name === "repeats" ? 2 : 1}`;
}

function whole(least: number): (value: unknown) => number | undefined {
  return (value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

function milliseconds(value: unknown): number | undefined {
  try {
    return parseDuration(value, "budget.duration");
  } catch {
    // The caller says what would be right.
    return undefined;
  }
}
