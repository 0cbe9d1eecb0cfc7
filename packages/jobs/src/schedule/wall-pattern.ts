import { Cron } from "croner";
import type { AtSchedule, CronSchedule } from "./schedule.js";

/** Wall times, as `zone.ts` writes them, that fit a schedule of the calendar. */
export interface WallPattern {
  /** The first wall time after this one; undefined: there is none. */
  readonly next: (wall: number) => number | undefined;
  /**
   * It names every hour, so it follows real time: a doubled hour counts twice and a missing one not at all. Otherwise it
   * names hours of a day, and each counts once a day.
   */
  readonly isHourly: boolean;
}

const patterns = new WeakMap<AtSchedule | CronSchedule, WallPattern>();

export function wallPattern(schedule: AtSchedule | CronSchedule): WallPattern {
  const known = patterns.get(schedule);
  if (known !== undefined) return known;
  const crons = cronTexts(schedule).map(compileCron);
  const pattern: WallPattern = {
    next: (wall) => {
      const found = crons
        .map((cron) => cron.nextRun(new Date(wall))?.getTime())
        .filter((time) => time !== undefined);
      return found.length === 0 ? undefined : Math.min(...found);
    },
    isHourly: schedule.kind === "cron" && (schedule.cron.split(/\s+/u)[1] ?? "").startsWith("*"),
  };
  patterns.set(schedule, pattern);
  return pattern;
}

/** Throws an Error of the library for a pattern that is none. The library counts in UTC; zones are `zone.ts`'s business. */
export function compileCron(text: string): Cron {
  return new Cron(text, { mode: "5-part", utcOffset: 0 });
}

function cronTexts(schedule: AtSchedule | CronSchedule): readonly string[] {
  if (schedule.kind === "cron") return [schedule.cron];
  const days = schedule.days === undefined ? "*" : schedule.days.join(",");
  return schedule.minutes.map((time) => `${time % 60} ${Math.floor(time / 60)} * * ${days}`);
}
