import fc from "fast-check";
import { expect, it } from "vitest";
import { CommandOutput, KEPT_OUTPUT_BYTES } from "../../src/background/command-output.js";

const pushed = (...chunks: readonly (string | Uint8Array)[]): CommandOutput => {
  const output = new CommandOutput();
  for (const chunk of chunks) output.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return output;
};

it("gives the same text however it came and however it is fetched", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.array(fc.nat(200)), (text, cuts) => {
      const bytes = Buffer.from(text);
      const output = new CommandOutput();
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      let fetched = "";
      let next = 0;
      for (const [index, end] of places.slice(1).entries()) {
        output.push(bytes.subarray(places[index], end));
        const part = output.from(next, true);
        fetched += part.text;
        next = part.next;
      }
      fetched += output.from(next, false).text;
      expect(fetched).toBe(text);
    }),
  );
});

it("keeps the last bytes of a flood, never a part of a character at its start, and says what is gone", () => {
  const chunk = Buffer.from("日本".repeat(10_000));
  const output = pushed(...Array.from({ length: 10 }, () => chunk));
  const { text, dropped, next } = output.from(0, false);
  expect(next).toBe(600_000);
  expect(Buffer.byteLength(text) + dropped).toBe(600_000);
  expect(dropped).toBeGreaterThanOrEqual(600_000 - KEPT_OUTPUT_BYTES);
  expect(text).not.toContain("\ufffd");
});

it.each([
  { why: "before the start", from: -5, text: "abc", dropped: 0, next: 3 },
  { why: "behind the end", from: 99, text: "", dropped: 0, next: 3 },
  { why: "between bytes", from: 1.9, text: "bc", dropped: 0, next: 3 },
])("answers an offset $why", ({ from, text, dropped, next }) => {
  expect(pushed("abc").from(from, false)).toEqual({ text, dropped, next });
});

it("is empty while nothing was printed", () => {
  expect(pushed().from(0, true)).toEqual({ text: "", dropped: 0, next: 0 });
});
