import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, FrameReader } from "../../src/frames/frame-reader.js";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function framesOf(text: string | Uint8Array, cuts: readonly number[], maxLineBytes = 1000): readonly Frame[] {
  const bytes = typeof text === "string" ? bytesOf(text) : text;
  const reader = new FrameReader(maxLineBytes);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const frames = places.slice(1).flatMap((end, index) => reader.push(bytes.subarray(places[index], end)));
  return [...frames, ...reader.end()];
}

const whole = (text: string, maxLineBytes?: number): readonly Frame[] => framesOf(text, [], maxLineBytes);

describe("frames", () => {
  it("are the same for any chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 2 })), fc.array(fc.nat(5000)), (values, cuts) => {
        const text = values.map((value) => `${value}\n`).join("");
        expect(framesOf(text, cuts)).toEqual(whole(text));
      }),
    );
  });

  it("are the same for any chunks of anything at all", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.nat(5000)),
        fc.nat(50),
        (bytes, cuts, max) => {
          expect(framesOf(bytes, cuts, max)).toEqual(framesOf(bytes, [], max));
        },
      ),
    );
  });

  it.each([
    {
      why: "no JSON",
      text: "oh no\n1\n",
      frames: [{ malformed: { reason: "not-json", bytes: 5, start: "oh no" } }, { value: 1 }],
    },
    {
      why: "a line that is too long",
      text: `"${"x".repeat(30)}"\n2\n`,
      frames: [{ malformed: { reason: "too-long", bytes: 32, start: `"${"x".repeat(9)}` } }, { value: 2 }],
    },
    { why: "a line that is exactly long enough", text: '"12345678"\n', frames: [{ value: "12345678" }] },
    {
      why: "an end inside a line",
      text: '1\n{"a":',
      frames: [{ value: 1 }, { malformed: { reason: "cut-off", bytes: 5, start: '{"a":' } }],
    },
    { why: "empty lines", text: "\n\n1\n\n", frames: [{ value: 1 }] },
    { why: "nothing", text: "", frames: [] },
  ])("are told apart: $why", ({ text, frames }) => {
    expect(whole(text, 10)).toEqual(frames);
  });

  it("are not made of what is not UTF-8", () => {
    expect(framesOf(Uint8Array.from([34, 0xff, 34, 10]), [])).toMatchObject([
      { malformed: { reason: "not-json" } },
    ]);
  });

  it("do not hold a line without end", () => {
    const reader = new FrameReader(1000);
    const chunk = new Uint8Array(1024 * 1024).fill(120);
    for (let count = 0; count < 50; count += 1) expect(reader.push(chunk)).toEqual([]);
    const [frame] = reader.push(bytesOf("\n"));
    expect(frame).toMatchObject({ malformed: { reason: "too-long", bytes: 50 * 1024 * 1024 } });
  });
});
