import type { AtSchedule, CronSchedule, EverySchedule, RecurringSchedule, Weekday } from "./schedule.js";
import { wallPattern } from "./wall-pattern.js";
import { firstInstantOf, instantsOf, offsetAt, offsetsAround } from "./zone.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Days that are passed over in search of one of `days`: `every 7d` may never meet a Monday. */
const MAX_PASSED_DAYS = 1_000;

/** What fixes the occurrences of a schedule beside its own words. All times are epoch milliseconds. */
export interface Anchored {
  readonly schedule: RecurringSchedule;
  /** When a scan first saw the task with this schedule. */
  readonly anchor: number;
  /** IANA name of the machine's zone, for schedules that name none. */
  readonly zone: string;
}

/** The first occurrence later than `after`; undefined when there is none. */
export function nextOccurrence({ schedule, anchor, zone }: Anchored, after: number): number | undefined {
  const local = schedule.timezone ?? zone;
  if (schedule.kind === "every") return nextOfGrid(schedule, { anchor, zone: local, after });
  return nextOfCalendar(schedule, local, Math.max(after, firstMoment(schedule, anchor, local) - 1));
}

/** The newest occurrence in the span `(after, now]`; those before it are coalesced into it. */
export function newestOccurrence(anchored: Anchored, after: number, now: number): number | undefined {
  const { schedule, anchor } = anchored;
  if (now < anchor) return undefined;
  if (schedule.kind === "every") {
    const newest = newestOfGrid(schedule, { anchor, zone: schedule.timezone ?? anchored.zone, after: now });
    return newest !== undefined && newest > after ? newest : undefined;
  }
  let low = nextOccurrence(anchored, after);
  if (low === undefined || low > now) return undefined;
  // Doubles the look back until it meets an occurrence, then halves it: patterns of minutes and of years cost the same.
  for (let span = MINUTE_MS; now - span > low; span *= 2) {
    const found = nextOccurrence(anchored, now - span);
    if (found !== undefined && found <= now) {
      low = found;
      break;
    }
  }
  let high = now;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = nextOccurrence(anchored, middle);
    if (found !== undefined && found <= now) low = found;
    else high = middle;
  }
  return newestOf(anchored, low, now);
}

/** The bisection may stop one step short. */
function newestOf(anchored: Anchored, low: number, now: number): number {
  const found = nextOccurrence(anchored, low);
  return found !== undefined && found <= now ? found : low;
}

/** Times of a day count from the start of the day on which the task was first seen; a pattern counts from that moment. */
function firstMoment(schedule: AtSchedule | CronSchedule, anchor: number, zone: string): number {
  return schedule.kind === "at" ? startOfDay(zone, anchor) : anchor;
}

function nextOfCalendar(
  schedule: AtSchedule | CronSchedule,
  zone: string,
  after: number,
): number | undefined {
  const pattern = wallPattern(schedule);
  const { min } = offsetsAround(zone, after);
  let best: number | undefined;
  let latest = Number.POSITIVE_INFINITY;
  for (let wall = pattern.next(after + min - 1); wall !== undefined; wall = pattern.next(wall)) {
    if (wall > latest) break;
    const instants = pattern.isHourly ? instantsOf(zone, wall) : [firstInstantOf(zone, wall)];
    for (const instant of instants) {
      if (instant <= after || (best !== undefined && instant >= best)) continue;
      best = instant;
      // A later wall time may be an earlier instant only where offsets differ.
      latest = instant + offsetsAround(zone, instant).max;
    }
  }
  return best;
}

interface Grid {
  readonly anchor: number;
  readonly zone: string;
  readonly after: number;
}

function nextOfGrid(
  { milliseconds, days }: EverySchedule,
  { anchor, zone, after }: Grid,
): number | undefined {
  const onGrid = (from: number): number =>
    from <= anchor ? anchor : anchor + Math.ceil((from - anchor) / milliseconds) * milliseconds;
  let found = onGrid(after + 1);
  for (let passed = 0; passed < MAX_PASSED_DAYS; passed += 1) {
    if (isOn(days, zone, found)) return found;
    found = onGrid(startOfDay(zone, found, 1));
  }
  return undefined;
}

/** The newest one not later than `after`. */
function newestOfGrid(
  { milliseconds, days }: EverySchedule,
  { anchor, zone, after }: Grid,
): number | undefined {
  const onGrid = (from: number): number => anchor + Math.floor((from - anchor) / milliseconds) * milliseconds;
  let found = onGrid(after);
  for (let passed = 0; passed < MAX_PASSED_DAYS && found >= anchor; passed += 1) {
    if (isOn(days, zone, found)) return found;
    found = onGrid(startOfDay(zone, found) - 1);
  }
  return undefined;
}

function isOn(days: readonly Weekday[] | undefined, zone: string, instant: number): boolean {
  if (days === undefined) return true;
  const weekday = new Date(instant + offsetAt(zone, instant)).getUTCDay();
  return days.some((day) => day === weekday);
}

/** The first instant of the local day of `instant`, or of the day so many later. */
export function startOfDay(zone: string, instant: number, daysLater = 0): number {
  const wall = instant + offsetAt(zone, instant);
  return firstInstantOf(zone, (Math.floor(wall / DAY_MS) + daysLater) * DAY_MS);
}
