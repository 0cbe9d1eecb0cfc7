/** Weekday numbers: 0 is Sunday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** Runs a single time, as soon as a scan sees the file. */
export interface OnceSchedule {
  readonly kind: "once";
}

/** Runs each time so much real time has passed since the first scan that saw the task; that scan counts. */
export interface EverySchedule {
  readonly kind: "every";
  /** As it was written, such as `30m`. */
  readonly every: string;
  readonly milliseconds: number;
  /** Only occurrences on these local days count. */
  readonly days?: readonly Weekday[];
  /** IANA name; default: the zone of the machine. */
  readonly timezone?: string;
}

/** Runs at times of the local day. */
export interface AtSchedule {
  readonly kind: "at";
  /** Minutes since midnight, ascending, each once. */
  readonly minutes: readonly number[];
  readonly days?: readonly Weekday[];
  readonly timezone?: string;
}

/** Runs by a cron pattern of five fields. */
export interface CronSchedule {
  readonly kind: "cron";
  readonly cron: string;
  readonly timezone?: string;
}

export type Schedule = OnceSchedule | EverySchedule | AtSchedule | CronSchedule;
/** A schedule with more than one occurrence. */
export type RecurringSchedule = Exclude<Schedule, OnceSchedule>;

export const WEEKDAYS: readonly string[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** One line that is equal for equal schedules, and that people can read. */
export function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case "once":
      return "once";
    case "every":
      return `every ${schedule.every}${daysText(schedule.days)}${zoneText(schedule.timezone)}`;
    case "at":
      return `at ${schedule.minutes.map(timeText).join(", ")}${daysText(schedule.days)}${zoneText(schedule.timezone)}`;
    case "cron":
      return `cron ${schedule.cron}${zoneText(schedule.timezone)}`;
  }
}

/** `07:05` of 425 minutes. */
export function timeText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function daysText(days: readonly Weekday[] | undefined): string {
  return days === undefined ? "" : ` on ${days.map((day) => WEEKDAYS[day]).join(", ")}`;
}

function zoneText(timezone: string | undefined): string {
  return timezone === undefined ? "" : ` in ${timezone}`;
}
