import fc from "fast-check";
import { parseSchedule } from "../../src/schedule/parse-schedule.js";
import type { RecurringSchedule } from "../../src/schedule/schedule.js";

export const ZONES: readonly string[] = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Pacific/Chatham",
];

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const times = fc.uniqueArray(
  fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
    .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`),
  { minLength: 1, maxLength: 4 },
);
const days = fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1, maxLength: 7 });
const timezone = fc.constantFrom(...ZONES);
const cron = fc
  .tuple(
    fc.constantFrom("0", "30", "*/15", "7,42", "*"),
    fc.constantFrom("*", "2", "*/6", "1-3", "0,23"),
    fc.constantFrom("*", "1", "15"),
    fc.constantFrom("*", "3", "10-11"),
    fc.constantFrom("*", "1-5", "0"),
  )
  .map((fields) => fields.join(" "));

/** A schedule as a task file writes it, with every kind and zones that change their clocks. */
export const recurringSchedules: fc.Arbitrary<RecurringSchedule> = fc
  .oneof(
    fc.record(
      { every: fc.constantFrom("1m", "7m", "30m", "5h", "1d", "3d", "1w"), days, timezone },
      { requiredKeys: ["every"] },
    ),
    fc.record({ at: times, days, timezone }, { requiredKeys: ["at"] }),
    fc.record({ cron, timezone }, { requiredKeys: ["cron"] }),
  )
  .map((value) => {
    const parsed = parseSchedule(value);
    if (typeof parsed === "string" || parsed.kind === "once") throw new Error(String(parsed));
    return parsed;
  });

export const instants: fc.Arbitrary<number> = fc
  .integer({ min: Date.parse("2027-01-01T00:00Z") / 1_000, max: Date.parse("2028-12-31T00:00Z") / 1_000 })
  .map((seconds) => seconds * 1_000);
