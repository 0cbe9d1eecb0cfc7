import { describe, expect, it } from "vitest";
import { parseRetryAfter, phrasedWait, retryAfterOf } from "../../src/failure/retry-after.js";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const LONGEST = 2_147_483_647;

describe("the wait a server asks for", () => {
  it.each([
    { why: "seconds", value: "2", ms: 2000 },
    { why: "seconds with blanks around", value: " 2 ", ms: 2000 },
    { why: "parts of a second", value: "0.5", ms: 500 },
    { why: "none", value: "0", ms: 0 },
    { why: "an HTTP date", value: "Mon, 30 Nov 2026 12:00:03 GMT", ms: 3000 },
    { why: "an HTTP date of the older form", value: "Monday, 30-Nov-26 12:00:03 GMT", ms: 3000 },
    { why: "an asctime date", value: "Mon Nov 30 12:00:03 2026", ms: 3000 },
    { why: "a date that has passed", value: "Mon, 30 Nov 2026 11:59:00 GMT", ms: 0 },
    { why: "an epoch value, bounded by the longest timer", value: "1893456000", ms: LONGEST },
    { why: "a number without end, bounded too", value: "9".repeat(400), ms: LONGEST },
    { why: "a date far ahead, bounded too", value: "Mon, 30 Nov 2099 12:00:00 GMT", ms: LONGEST },
    { why: "a negative number", value: "-5", ms: undefined },
    { why: "a word", value: "soon", ms: undefined },
    { why: "a word with a number, which date parsers accept", value: "retry 5", ms: undefined },
    { why: "an empty value", value: "", ms: undefined },
    { why: "no value", value: undefined, ms: undefined },
    { why: "an impossible date", value: "Mon, 99 Nov 2026 12:00:03 GMT", ms: undefined },
    { why: "a number in another notation", value: "1e3", ms: undefined },
  ])("reads $why", ({ value, ms }) => {
    expect(parseRetryAfter(value, NOW)).toBe(ms);
  });

  it.each([
    { text: "Rate limit reached. Please try again in 1.5s.", ms: 1500 },
    { text: "please try again in 20 ms", ms: 20 },
    { text: "retry after 2 minutes", ms: 120_000 },
    { text: "try again in 7 seconds", ms: 7000 },
    { text: "try again later", ms: undefined },
    { text: "try again in 2 sheep", ms: undefined },
  ])("reads the wait in $text", ({ text, ms }) => {
    expect(phrasedWait(text)).toBe(ms);
  });

  it("believes the exact header first, then Retry-After, then the text", () => {
    const text = "try again in 9 s";
    expect(retryAfterOf({ "retry-after-ms": "120", "retry-after": "3" }, text, NOW)).toBe(120);
    expect(retryAfterOf({ "retry-after-ms": "soon", "retry-after": "3" }, text, NOW)).toBe(3000);
    expect(retryAfterOf({}, text, NOW)).toBe(9000);
  });
});
