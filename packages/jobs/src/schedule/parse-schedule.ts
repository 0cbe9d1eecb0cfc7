import { nearestName } from "@ashlar/context";
import { isRecord, shown } from "../task/plain-value.js";
import type { Schedule, Weekday } from "./schedule.js";
import { WEEKDAYS } from "./schedule.js";
import { compileCron } from "./wall-pattern.js";
import { isZone } from "./zone.js";

const FORMS = 'write once, "every 30m", { at: ["07:00"] } or { cron: "0 7 * * *" }';
const KEYS = ["every", "at", "cron", "days", "timezone"];
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const MAX_TIMES = 96;
/** A hundred years: beyond it a number is a mistake. */
const MAX_INTERVAL_MS = 100 * 365 * 86_400_000;

/** The sentence says what is wrong and what would be right. */
export type ParsedSchedule = Schedule | string;

export function parseSchedule(value: unknown): ParsedSchedule {
  if (value === undefined || value === null) return { kind: "once" };
  if (typeof value === "string") return parseText(value.trim());
  if (!isRecord(value)) return `schedule: ${shown(value)} is no schedule; ${FORMS}`;
  const odd = Object.keys(value).find((key) => !KEYS.includes(key));
  if (odd !== undefined) {
    const near = nearestName(odd, KEYS);
    return `schedule has no key "${odd}"; ${near === undefined ? `its keys are ${KEYS.join(", ")}` : `did you mean "${near}"?`}`;
  }
  const kinds = ["every", "at", "cron"].filter((key) => value[key] !== undefined);
  if (kinds.length !== 1) return `schedule needs exactly one of every, at and cron; ${FORMS}`;
  if (value.every !== undefined) return parseEvery(value);
  return value.at !== undefined ? parseAt(value) : parseCron(value);
}

function parseText(text: string): ParsedSchedule {
  if (text === "once") return { kind: "once" };
  const [word = "", rest = ""] = splitOnce(text);
  if (word === "every") return parseEvery({ every: rest });
  if (word === "at") return parseAt({ at: rest.split(",").map((time) => time.trim()) });
  if (word === "cron") return parseCron({ cron: rest });
  return `schedule: ${shown(text)} is no schedule; ${FORMS}`;
}

function splitOnce(text: string): readonly string[] {
  const [, word = text, rest = ""] = /^(\S+)\s+(.*)$/su.exec(text) ?? [];
  return [word, rest];
}

type Fields = Readonly<Record<string, unknown>>;

function parseEvery(fields: Fields): ParsedSchedule {
  const { every } = fields;
  const [, count = "", unit = ""] =
    (typeof every === "string" ? /^(\d{1,9})\s*([mhdw])$/u.exec(every.trim()) : null) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(milliseconds > 0 && milliseconds <= MAX_INTERVAL_MS)) {
    return `schedule.every: ${shown(every)} is no interval; write a whole number above 0 and m, h, d or w, such as 30m`;
  }
  const common = parseCommon(fields);
  if (typeof common === "string") return common;
  return { kind: "every", every: `${Number(count)}${unit}`, milliseconds, ...common };
}

function parseAt(fields: Fields): ParsedSchedule {
  const times: readonly unknown[] = Array.isArray(fields.at) ? fields.at : [fields.at];
  const minutes: number[] = [];
  let gmt = 0;
  for (const time of times) {
    const [, hour, minute, zone] =
      (typeof time === "string" ? /^(\d{1,2}):(\d{2})(\s*(?:GMT|UTC|Z))?$/iu.exec(time.trim()) : null) ?? [];
    const at = Number(hour) * 60 + Number(minute);
    if (!(Number(hour) < 24 && Number(minute) < 60)) {
      return `schedule.at: ${shown(time)} is no time of day; write it in quotes as "07:00" or "07:00 GMT"`;
    }
    if (minutes.includes(at)) return `schedule.at has ${shown(time)} twice; leave one out`;
    minutes.push(at);
    if (zone !== undefined) gmt += 1;
  }
  if (minutes.length === 0 || minutes.length > MAX_TIMES) {
    return `schedule.at needs 1 to ${MAX_TIMES} times, such as ["07:00", "19:30"]`;
  }
  if (gmt !== 0 && gmt !== minutes.length)
    return "schedule.at mixes GMT and local times; write all of one kind";
  const common = parseCommon(fields);
  if (typeof common === "string") return common;
  if (gmt > 0 && common.timezone !== undefined) return "schedule has GMT times and a timezone; leave one out";
  const zone = gmt > 0 ? { timezone: "UTC" } : {};
  return { kind: "at", minutes: minutes.sort((a, b) => a - b), ...common, ...zone };
}

function parseCron(fields: Fields): ParsedSchedule {
  const { cron } = fields;
  const hint = 'write five fields, "minute hour day month weekday", such as "30 2 * * *"';
  if (typeof cron !== "string" || cron.trim().split(/\s+/u).length !== 5) {
    return `schedule.cron: ${shown(cron)} is no cron pattern; ${hint}`;
  }
  const text = cron.trim().split(/\s+/u).join(" ");
  try {
    if (compileCron(text).nextRun(new Date(0)) === null) return `schedule.cron: ${shown(text)} never comes`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /u, "") : String(error);
    return `schedule.cron: ${shown(text)} is no cron pattern (${reason}); ${hint}`;
  }
  if (fields.days !== undefined)
    return "schedule.days goes with every and at; a cron pattern names its days itself";
  const zone = parseZone(fields.timezone);
  if (typeof zone === "string") return zone;
  return { kind: "cron", cron: text, ...zone };
}

interface CommonFields {
  readonly days?: readonly Weekday[];
  readonly timezone?: string;
}

function parseCommon(fields: Fields): CommonFields | string {
  const days = parseDays(fields.days);
  if (typeof days === "string") return days;
  const zone = parseZone(fields.timezone);
  return typeof zone === "string" ? zone : { ...days, ...zone };
}

function parseDays(value: unknown): Pick<CommonFields, "days"> | string {
  if (value === undefined || value === null) return {};
  if (value === "weekdays") return { days: [1, 2, 3, 4, 5] };
  if (value === "weekends") return { days: [0, 6] };
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const days = new Set<Weekday>();
  for (const name of names) {
    const day = typeof name === "string" ? WEEKDAYS.indexOf(name.toLowerCase()) : -1;
    if (!isWeekday(day)) {
      return `schedule.days: ${shown(name)} is no day; write weekdays, weekends or a list of ${WEEKDAYS.join(", ")}`;
    }
    days.add(day);
  }
  if (days.size === 0) return "schedule.days is empty; leave it out for every day";
  return { days: [...days].sort((a, b) => a - b) };
}

function isWeekday(day: number): day is Weekday {
  return Number.isInteger(day) && day >= 0 && day <= 6;
}

function parseZone(value: unknown): Pick<CommonFields, "timezone"> | string {
  if (value === undefined || value === null) return {};
  if (typeof value === "string" && isZone(value)) return { timezone: value };
  return `schedule.timezone: ${shown(value)} is no time zone; write an IANA name such as Europe/Berlin`;
}
