import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipped, visibleJson, visibleLine, visibleText } from "../src/terminal-text.js";

/** What a terminal acts on, or what turns text around; written anew here. */
function steers(text: string): boolean {
  return Array.from(text).some((character) => {
    const code = character.codePointAt(0) ?? 0;
    const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code < 0xa0);
    const isOverride = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return isControl || isOverride || code === 0x2028 || code === 0x2029;
  });
}

const anything = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "\u001b",
      "[2J",
      "\u009b31m",
      "\u202e",
      "\r",
      "\u0000",
      "\ud83d",
      "日",
      "👩‍👩‍👧‍👦",
      "a",
      "\n",
      "\t",
    ),
  }),
);

describe("text of anybody's on a terminal", () => {
  it.each([
    {
      why: "an escape sequence",
      text: "\u001b[2J\u001b]0;x\u0007text",
      seen: "\\u001b[2J\\u001b]0;x\\u0007text",
    },
    { why: "a control character of one byte", text: "\u009b31mtext", seen: "\\u009b31mtext" },
    { why: "an override of the direction", text: "a\u202eb", seen: "a\\u202eb" },
    { why: "a return that would write over the line", text: "good\rbad", seen: "good\\u000dbad" },
    { why: "half a character", text: "x\ud83d", seen: "x\ufffd" },
    {
      why: "what people write",
      text: "שלום 日本語 ✅ 👩‍👩‍👧‍👦 🇩🇪\n\ttab",
      seen: "שלום 日本語 ✅ 👩‍👩‍👧‍👦 🇩🇪\n\ttab",
    },
  ])("shows $why", ({ text, seen }) => {
    expect(visibleText(text)).toBe(seen);
  });

  it("never steers it, in no form", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(steers(visibleText(text))).toBe(false);
        expect(visibleLine(text)).not.toMatch(/[\n\t]/);
        expect(steers(visibleLine(text))).toBe(false);
        expect(steers(visibleJson({ [text]: text }))).toBe(false);
      }),
    );
  });

  it("is the same value as JSON", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(JSON.parse(visibleJson({ [text]: [text] }))).toEqual(
          JSON.parse(JSON.stringify({ [text]: [text] })),
        );
      }),
    );
  });
});

describe("a line that is clipped", () => {
  it("takes no more columns than there are, and says that it was cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 120 }), (text, columns) => {
        const line = clipped(text, columns);
        const widest = Array.from(line).reduce((sum, character) => sum + (character > "\u007f" ? 2 : 1), 0);
        expect(widest).toBeLessThanOrEqual(columns);
        if (line !== text && columns > 1) expect(line.endsWith("…")).toBe(true);
      }),
    );
  });

  it.each([
    { why: "it fits", line: "abc", columns: 3, shown: "abc" },
    { why: "it is too long", line: "abcdef", columns: 5, shown: "abc…" },
    { why: "its characters are wide", line: "日本語テキスト", columns: 8, shown: "日本語…" },
    { why: "there is one column", line: "abc", columns: 1, shown: "" },
    { why: "nobody knows how wide it is", line: "abc", columns: undefined, shown: "abc" },
  ])("when $why", ({ line, columns, shown }) => {
    expect(clipped(line, columns)).toBe(shown);
  });
});
