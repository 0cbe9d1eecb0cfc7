import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newestOccurrence, nextOccurrence, startOfDay } from "../../src/schedule/occurrences.js";
import { offsetAt } from "../../src/schedule/zone.js";
import { instants, recurringSchedules, ZONES } from "../support/schedules.js";

const cases = fc.record({ schedule: recurringSchedules, zone: fc.constantFrom(...ZONES), anchor: instants });

describe("occurrences", () => {
  it("come after the time they were asked for, and are the same from wherever one asks", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 40 * 86_400 }), (anchored, seconds) => {
        const from = anchored.anchor + seconds * 1_000;
        const next = nextOccurrence(anchored, from);
        if (next === undefined) return;
        expect(next).toBeGreaterThan(from);
        expect(nextOccurrence(anchored, next - 1)).toBe(next);
        expect(nextOccurrence(anchored, Math.floor((from + next - 1) / 2))).toBe(next);
      }),
      { numRuns: 300 },
    );
  });

  it("the newest one is the last that the next ones lead to", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 3 * 86_400 }), (anchored, seconds) => {
        const after = anchored.anchor + seconds * 1_000;
        const now = after + 6 * 3_600_000;
        let newest: number | undefined;
        let next = nextOccurrence(anchored, after);
        while (next !== undefined && next <= now) {
          newest = next;
          next = nextOccurrence(anchored, next);
        }
        expect(newestOccurrence(anchored, after, now)).toBe(newest);
      }),
      { numRuns: 150 },
    );
  });

  it("of an interval begin with the scan that first saw it", () => {
    const anchored = {
      schedule: { kind: "every", every: "30m", milliseconds: 1_800_000 },
      anchor: Date.parse("2027-01-01T10:07Z"),
      zone: "UTC",
    } as const;
    expect(newestOccurrence(anchored, Number.NEGATIVE_INFINITY, anchored.anchor)).toBe(anchored.anchor);
    expect(nextOccurrence(anchored, anchored.anchor)).toBe(Date.parse("2027-01-01T10:37Z"));
  });

  it("of a time of day count from the start of the day that first saw it", () => {
    const anchored = {
      schedule: { kind: "at", minutes: [7 * 60], timezone: "Europe/Berlin" },
      anchor: Date.parse("2027-01-05T12:00Z"),
      zone: "UTC",
    } as const;
    expect(newestOccurrence(anchored, Number.NEGATIVE_INFINITY, anchored.anchor)).toBe(
      Date.parse("2027-01-05T06:00Z"),
    );
  });

  it("of a cron pattern count from the moment that first saw it", () => {
    const anchored = {
      schedule: { kind: "cron", cron: "0 * * * *" },
      anchor: Date.parse("2027-01-05T12:20Z"),
      zone: "UTC",
    } as const;
    expect(newestOccurrence(anchored, Number.NEGATIVE_INFINITY, anchored.anchor)).toBeUndefined();
    expect(nextOccurrence(anchored, anchored.anchor)).toBe(Date.parse("2027-01-05T13:00Z"));
  });

  it("may never come: every week from a Tuesday, on Mondays", () => {
    const anchored = {
      schedule: { kind: "every", every: "1w", milliseconds: 604_800_000, days: [1] },
      anchor: Date.parse("2027-01-05T12:00Z"),
      zone: "UTC",
    } as const;
    expect(nextOccurrence(anchored, anchored.anchor)).toBeUndefined();
    expect(newestOccurrence(anchored, Number.NEGATIVE_INFINITY, anchored.anchor + 1e10)).toBeUndefined();
  });

  it("costs the same after years of sleep", () => {
    const anchored = {
      schedule: { kind: "cron", cron: "* * * * *", timezone: "Europe/Berlin" },
      anchor: Date.parse("2017-01-01T00:00Z"),
      zone: "UTC",
    } as const;
    const now = Date.parse("2027-01-01T00:00:30Z");
    expect(newestOccurrence(anchored, anchored.anchor, now)).toBe(Date.parse("2027-01-01T00:00Z"));
  });

  it("days begin at midnight of the zone, or where clocks jump over it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES, "America/Havana", "Asia/Beirut"), instants, (zone, instant) => {
        const start = startOfDay(zone, instant);
        expect(start).toBeLessThanOrEqual(instant);
        const dayOf = (at: number): string => new Date(at + offsetAt(zone, at)).toISOString().slice(0, 10);
        expect(dayOf(start)).toBe(dayOf(instant));
        expect(dayOf(start - 1)).not.toBe(dayOf(instant));
      }),
      { numRuns: 300 },
    );
  });
});
