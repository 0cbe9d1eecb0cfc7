import { describe, expect, it } from "vitest";
import { parseSchedule } from "../../src/schedule/parse-schedule.js";
import { scheduleText } from "../../src/schedule/schedule.js";

describe("a schedule", () => {
  it.each([
    { value: undefined, text: "once" },
    { value: "once", text: "once" },
    { value: "every 30m", text: "every 30m" },
    { value: "every 2 h", text: "every 2h" },
    { value: { every: "1d", days: ["mon", "FRI"] }, text: "every 1d on mon, fri" },
    { value: { every: "1w" }, text: "every 1w" },
    { value: { at: "7:00" }, text: "at 07:00" },
    { value: "at 19:30, 07:00", text: "at 07:00, 19:30" },
    { value: { at: ["07:00 GMT", "19:30 GMT"] }, text: "at 07:00, 19:30 in UTC" },
    {
      value: { at: ["23:59"], days: "weekends", timezone: "Asia/Kathmandu" },
      text: "at 23:59 on sun, sat in Asia/Kathmandu",
    },
    {
      value: { cron: " 30 2  * * 1-5 ", timezone: "Europe/Berlin" },
      text: "cron 30 2 * * 1-5 in Europe/Berlin",
    },
    { value: "cron 0 7 * * MON", text: "cron 0 7 * * MON" },
  ])("$text", ({ value, text }) => {
    const parsed = parseSchedule(value);
    if (typeof parsed === "string") throw new Error(parsed);
    expect(scheduleText(parsed)).toBe(text);
  });

  it.each([
    { value: "daily", says: "is no schedule" },
    { value: 30, says: "is no schedule" },
    { value: ["every 30m"], says: "is no schedule" },
    { value: {}, says: "exactly one of every, at and cron" },
    { value: { every: "30m", at: "07:00" }, says: "exactly one of every, at and cron" },
    { value: { evry: "30m" }, says: 'did you mean "every"?' },
    { value: { every: "30s" }, says: "m, h, d or w" },
    { value: { every: "0m" }, says: "above 0" },
    { value: { every: "1.5h" }, says: "whole number" },
    { value: { every: "999999999w" }, says: "no interval" },
    { value: { every: 30 }, says: "30m" },
    { value: { at: 420 }, says: "in quotes" },
    { value: { at: "24:00" }, says: "no time of day" },
    { value: { at: "07:60" }, says: "no time of day" },
    { value: { at: [] }, says: "needs 1 to" },
    { value: { at: ["07:00", "7:00"] }, says: "twice" },
    { value: { at: ["07:00", "08:00 GMT"] }, says: "mixes" },
    { value: { at: "07:00 GMT", timezone: "Europe/Berlin" }, says: "leave one out" },
    { value: { at: "07:00", days: "someday" }, says: "is no day" },
    { value: { at: "07:00", days: [] }, says: "empty" },
    { value: { at: "07:00", timezone: "Mars/Olympus" }, says: "IANA" },
    { value: { at: "07:00", timezone: "+01:00" }, says: "IANA" },
    { value: { cron: "* * *" }, says: "five fields" },
    { value: { cron: "0 0 0 * * *" }, says: "five fields" },
    { value: { cron: "@daily" }, says: "five fields" },
    { value: { cron: "61 * * * *" }, says: "61" },
    { value: { cron: "0 0 31 2 *" }, says: "never comes" },
    { value: { cron: "0 7 * * *", days: "weekdays" }, says: "names its days itself" },
  ])("is refused: $value", ({ value, says }) => {
    expect(parseSchedule(value)).toEqual(expect.stringContaining(says));
  });
});
