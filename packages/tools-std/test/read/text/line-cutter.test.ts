import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineCutter } from "../../../src/read/text/line-cutter.js";
import {
  continuationLength,
  decodeText,
  wholeCharactersLength,
} from "../../../src/read/text/text-decoding.js";

const encoder = new TextEncoder();

function cut(bytes: Uint8Array, sizes: readonly number[], maxLineBytes = 1000): readonly object[] {
  const cutter = new LineCutter({ number: 1, start: 0, maxLineBytes });
  const lines: object[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.byteLength]) {
    const chunk = bytes.subarray(at, Math.min(bytes.byteLength, at + size));
    at += chunk.byteLength;
    for (const { head, ...line } of cutter.push(chunk)) lines.push({ ...line, text: decodeText(head).text });
  }
  for (const { head, ...line } of cutter.end()) lines.push({ ...line, text: decodeText(head).text });
  return lines;
}

describe("LineCutter", () => {
  it("gives the same lines whatever the borders of the chunks", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "é", "🙂", "日", "\n", "\r\n", "\0") });
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 7 })), (text, sizes) => {
        const bytes = encoder.encode(text);
        expect(cut(bytes, sizes)).toEqual(cut(bytes, []));
      }),
    );
  });

  it("numbers lines, places them by byte and counts a last one without newline", () => {
    expect(cut(encoder.encode("é\n\nend"), [1])).toEqual([
      { number: 1, start: 0, length: 3, text: "é\n" },
      { number: 2, start: 3, length: 1, text: "\n" },
      { number: 3, start: 4, length: 3, text: "end" },
    ]);
  });

  it("keeps of a long line only its beginning, and knows how long it was", () => {
    expect(cut(encoder.encode(`${"x".repeat(50)}\ny`), [7, 7, 7], 10)).toEqual([
      { number: 1, start: 0, length: 51, text: "x".repeat(10) },
      { number: 2, start: 51, length: 1, text: "y" },
    ]);
  });
});

describe("characters at the border of a range", () => {
  it("are told whole from cut, at every place of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), fc.nat(), (text, a, b) => {
        const bytes = encoder.encode(text);
        const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const part = bytes.subarray(from, to);
        const start = continuationLength(part);
        const end = wholeCharactersLength(part);
        expect(decodeText(part.subarray(Math.min(start, end), end)).invalid).toBe(false);
      }),
    );
  });
});
