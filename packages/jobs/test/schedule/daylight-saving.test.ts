import { describe, expect, it } from "vitest";
import { newestOccurrence, nextOccurrence } from "../../src/schedule/occurrences.js";
import { parseSchedule } from "../../src/schedule/parse-schedule.js";
import type { RecurringSchedule } from "../../src/schedule/schedule.js";

const ANCHOR = Date.parse("2027-01-01T00:00:00Z");

function schedule(value: unknown): RecurringSchedule {
  const parsed = parseSchedule(value);
  if (typeof parsed === "string" || parsed.kind === "once") throw new Error(String(parsed));
  return parsed;
}

/** Every occurrence in [from, to), as ISO times to the minute. */
function occurrences(value: unknown, from: string, to: string): readonly string[] {
  const anchored = { schedule: schedule(value), anchor: ANCHOR, zone: "UTC" };
  const found: string[] = [];
  let next = nextOccurrence(anchored, Date.parse(from) - 1);
  while (next !== undefined && next < Date.parse(to)) {
    found.push(new Date(next).toISOString().slice(0, "2027-01-01T00:00".length));
    // A next time is always later than the time it was asked for.
    const after: number = next;
    next = nextOccurrence(anchored, after);
    expect(next ?? Infinity).toBeGreaterThan(after);
  }
  return found;
}

const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";

describe("the missing and the doubled hour", () => {
  it.each([
    {
      why: "a missing 02:30 runs at the jump",
      when: { cron: "30 2 * * *", timezone: BERLIN },
      from: "2027-03-27T00:00Z",
      to: "2027-03-30T00:00Z",
      expected: ["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"],
    },
    {
      why: "the same as a time of day",
      when: { at: "02:30", timezone: BERLIN },
      from: "2027-03-27T00:00Z",
      to: "2027-03-30T00:00Z",
      expected: ["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"],
    },
    {
      why: "a doubled 02:30 runs once, the first time",
      when: { cron: "30 2 * * *", timezone: BERLIN },
      from: "2027-10-30T00:00Z",
      to: "2027-11-02T00:00Z",
      expected: ["2027-10-30T00:30", "2027-10-31T00:30", "2027-11-01T01:30"],
    },
    {
      why: "two times in the missing hour run once, at the jump",
      when: { at: ["02:15", "02:45"], timezone: BERLIN },
      from: "2027-03-28T00:00Z",
      to: "2027-03-29T00:30Z",
      expected: ["2027-03-28T01:00", "2027-03-29T00:15"],
    },
    {
      why: "a pattern of minutes follows real time through the doubled hour",
      when: { cron: "*/15 * * * *", timezone: BERLIN },
      from: "2027-10-31T00:00Z",
      to: "2027-10-31T02:00Z",
      expected: [
        "2027-10-31T00:00",
        "2027-10-31T00:15",
        "2027-10-31T00:30",
        "2027-10-31T00:45",
        "2027-10-31T01:00",
        "2027-10-31T01:15",
        "2027-10-31T01:30",
        "2027-10-31T01:45",
      ],
    },
    {
      why: "and leaves the missing hour out",
      when: { cron: "30 * * * *", timezone: BERLIN },
      from: "2027-03-28T00:00Z",
      to: "2027-03-28T03:00Z",
      expected: ["2027-03-28T00:30", "2027-03-28T01:30", "2027-03-28T02:30"],
    },
    {
      why: "New York loses 02:30 on 14 March",
      when: { cron: "30 2 * * *", timezone: NEW_YORK },
      from: "2027-03-13T00:00Z",
      to: "2027-03-16T00:00Z",
      expected: ["2027-03-13T07:30", "2027-03-14T07:00", "2027-03-15T06:30"],
    },
    {
      why: "New York has 01:30 twice on 7 November",
      when: { cron: "30 1 * * *", timezone: NEW_YORK },
      from: "2027-11-06T00:00Z",
      to: "2027-11-09T00:00Z",
      expected: ["2027-11-06T05:30", "2027-11-07T05:30", "2027-11-08T06:30"],
    },
    {
      why: "hours that exist once are not touched",
      when: { at: ["00:30", "12:00"], timezone: NEW_YORK },
      from: "2027-03-14T00:00Z",
      to: "2027-03-15T05:00Z",
      expected: ["2027-03-14T05:30", "2027-03-14T16:00", "2027-03-15T04:30"],
    },
    {
      why: "intervals are real time, whatever clocks show",
      when: { every: "12h", timezone: BERLIN },
      from: "2027-03-27T12:00Z",
      to: "2027-03-29T00:00Z",
      expected: ["2027-03-27T12:00", "2027-03-28T00:00", "2027-03-28T12:00"],
    },
  ])("$why", ({ when, from, to, expected }) => {
    expect(occurrences(when, from, to)).toEqual(expected);
  });

  it.each([
    {
      zone: BERLIN,
      day: "the day of 25 hours",
      from: "2027-10-30T22:00Z",
      to: "2027-10-31T23:00Z",
      count: 100,
    },
    {
      zone: BERLIN,
      day: "the day of 23 hours",
      from: "2027-03-27T23:00Z",
      to: "2027-03-28T22:00Z",
      count: 92,
    },
    {
      zone: NEW_YORK,
      day: "the day of 25 hours",
      from: "2027-11-07T04:00Z",
      to: "2027-11-08T05:00Z",
      count: 100,
    },
    {
      zone: NEW_YORK,
      day: "the day of 23 hours",
      from: "2027-03-14T05:00Z",
      to: "2027-03-15T04:00Z",
      count: 92,
    },
    {
      zone: "Australia/Lord_Howe",
      day: "a change of half an hour",
      from: "2027-04-03T13:00Z",
      to: "2027-04-04T13:30Z",
      count: 98,
    },
  ])("counts the quarters of $day in $zone", ({ zone, from, to, count }) => {
    expect(occurrences({ cron: "*/15 * * * *", timezone: zone }, from, to)).toHaveLength(count);
  });

  it("finds the newest occurrence in the doubled hour too", () => {
    const anchored = {
      schedule: schedule({ cron: "*/15 * * * *", timezone: BERLIN }),
      anchor: ANCHOR,
      zone: "UTC",
    };
    const now = Date.parse("2027-10-31T01:20Z");
    expect(newestOccurrence(anchored, ANCHOR, now)).toBe(Date.parse("2027-10-31T01:15Z"));
  });

  it("passes a day that a zone left out", () => {
    expect(
      occurrences({ at: "09:00", timezone: "Pacific/Apia" }, "2027-01-05T00:00Z", "2027-01-06T00:00Z"),
    ).toEqual(["2027-01-05T20:00"]);
  });
});
