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

/** A clock that stands at the time written in a file, such as `2027-03-28T00:59:00Z`, until the file changes. For tests. */
export function createFileClock(file: string): Clock {
  const now = (): number => {
    const text = readClock(file);
    const time = /\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/u.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(time)) return time;
    throw new JobsError(
      "usage",
      `the clock file ${file} does not hold a time; write one such as 2027-03-28T00:59:00Z`,
      { argument: "clock" },
    );
  };
  return { now, file };
}

function readClock(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JobsError(
      "usage",
      `the clock file cannot be read (${reason})`,
      { argument: "clock" },
      { cause: error },
    );
  }
}
