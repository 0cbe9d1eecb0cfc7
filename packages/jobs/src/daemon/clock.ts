import { readFileSync } from "node:fs";
import { JobsError } from "../jobs-error.js";

/** Where the time comes from. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A file that holds the time: a change of it is a change of time. Absent: time goes by on its own. */
  readonly file?: string;
}

export const SYSTEM_CLOCK: Clock = { now: Date.now };

/**
 * A clock that stands at the time written in a file, such as `2027-03-28T00:59:00Z`, until the file says another. While it
 * says none, as in the middle of a write, the time stays. For tests. The first look throws kind `usage` without a time.
 */
export function createFileClock(file: string): Clock {
  let last: number | undefined;
  const now = (): number => {
    const read = readClock(file);
    last = typeof read === "number" ? read : (last ?? refuse(read));
    return last;
  };
  return { now, file };
}

/** A text says why there is no time in it. */
function readClock(file: string): number | string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    return `the clock file cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
  const time = /\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/u.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  return `the clock file ${file} does not hold a time; write one such as 2027-03-28T00:59:00Z`;
}

function refuse(problem: string): never {
  throw new JobsError("usage", problem, { argument: "clock" });
}
