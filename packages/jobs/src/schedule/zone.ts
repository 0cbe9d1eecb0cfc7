const HOUR_MS = 3_600_000;
/** No zone is farther than this from UTC, and none has two changes closer together than twice of it. */
const REACH_MS = 26 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone of the machine. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Is it an IANA name that this runtime knows? */
export function isZone(name: string): boolean {
  try {
    return /^[A-Za-z]/u.test(name) && formatOf(name) !== undefined;
  } catch {
    // Intl has no other way to say no.
    return false;
  }
}

/**
 * Wall time is written as the epoch milliseconds of the same clock reading in UTC; the offset is wall time less real
 * time, in milliseconds.
 */
export function offsetAt(zone: string, instant: number): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  return wall - Math.floor(instant / 1_000) * 1_000;
}

/** The smallest and the largest offset around an instant. */
export function offsetsAround(zone: string, instant: number): { readonly min: number; readonly max: number } {
  const offsets = [instant - REACH_MS, instant, instant + REACH_MS].map((at) => offsetAt(zone, at));
  return { min: Math.min(...offsets), max: Math.max(...offsets) };
}

/** Every instant at which the clocks of the zone show this wall time, oldest first: none in a missing hour, two in a doubled one. */
export function instantsOf(zone: string, wall: number): readonly number[] {
  const before = offsetAt(zone, wall - REACH_MS);
  const after = offsetAt(zone, wall + REACH_MS);
  return [...new Set([before, after])]
    .map((offset) => wall - offset)
    .filter((instant) => wall - instant === offsetAt(zone, instant))
    .sort((a, b) => a - b);
}

/** The instant of a wall time: the first of a doubled one, and for a missing one the instant at which the clocks jump. */
export function firstInstantOf(zone: string, wall: number): number {
  const [first] = instantsOf(zone, wall);
  return first ?? changeBetween(zone, wall - REACH_MS, wall + REACH_MS);
}

/** The first instant whose offset is not that of `from`. */
function changeBetween(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from);
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}
