import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNdjsonReader } from "../../src/frames/ndjson.js";
import { bytesOf, cutAt, framesOf, oneByOne } from "./collect.js";

const answer = [
  { message: { role: "assistant", content: "é🙂日" }, done: false },
  { message: { role: "assistant", content: " ok" }, done: false },
  { message: { role: "assistant", content: "" }, done: true },
];
const lines = answer.map((frame) => JSON.stringify(frame));
const whole = bytesOf(`${lines.join("\n")}\n`);
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

describe("reading newline-delimited JSON", () => {
  it.each([
    { why: "all in one piece", pieces: [whole] },
    { why: "one byte a piece", pieces: oneByOne(whole) },
    { why: "a cut inside a character", pieces: cutAt(whole, [44, 47]) },
    {
      why: "a last line without its newline",
      pieces: [bytesOf(`${lines[0]}\n${lines[1]}\n`), bytesOf(lines[2] ?? "")],
    },
    {
      why: "CRLF cut between its two bytes",
      pieces: lines.flatMap((line) => [bytesOf(`${line}\r`), bytesOf("\n")]),
    },
    {
      why: "an empty line and one of two spaces",
      pieces: [bytesOf(`${lines[0]}\n\n  \n${lines[1]}\n${lines[2]}\n`)],
    },
    { why: "a byte order mark at the start", pieces: [BOM, whole] },
    { why: "a byte order mark cut in three", pieces: [...oneByOne(BOM), whole] },
    { why: "empty pieces between", pieces: [new Uint8Array(0), whole, new Uint8Array(0)] },
    { why: "a line that is null", pieces: [bytesOf("null\n"), whole] },
  ])("gives the same frames from $why", ({ pieces }) => {
    expect(framesOf(createNdjsonReader, pieces)).toEqual([...answer, null]);
  });

  it("gives the same frames whatever the cuts are", () => {
    const frame = fc.oneof(fc.object({ maxDepth: 2 }), fc.string({ unit: "grapheme" }), fc.integer());
    const input = fc.array(frame, { maxLength: 8 });
    fc.assert(
      fc.property(
        input,
        fc.array(fc.nat(2000), { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n"),
        (values, cuts, end) => {
          const text = values.map((value) => JSON.stringify(value) + end).join("");
          const expected = [...values.map((value) => JSON.parse(JSON.stringify(value))), null];
          expect(framesOf(createNdjsonReader, cutAt(bytesOf(text), cuts))).toEqual(expected);
        },
      ),
    );
  });

  it("keeps a byte order mark that stands inside the data", () => {
    const text = `${JSON.stringify("\uFEFFa")}\n`;
    expect(framesOf(createNdjsonReader, [bytesOf(`1\n${text}`)])).toEqual([1, "\uFEFFa", null]);
  });

  it("reads a line of 3 MiB from pieces of 64 KiB", () => {
    const long = bytesOf(`${JSON.stringify({ content: "a".repeat(3_145_728) })}\n`);
    const cuts = Array.from({ length: Math.floor(long.length / 65_536) }, (_, index) => (index + 1) * 65_536);
    const [frame] = framesOf(createNdjsonReader, cutAt(long, cuts));
    expect(frame).toEqual({ content: "a".repeat(3_145_728) });
  });

  it("refuses a complete line that is not JSON, with its beginning", () => {
    const read = () => framesOf(createNdjsonReader, [bytesOf(`{"a":1}\n{"b":${"x".repeat(500)}\n`)]);
    expect(read).toThrow(
      expect.objectContaining({ kind: "malformed", message: expect.stringContaining('{\\"b\\":xxx') }),
    );
  });

  it("hands on the good frames of a chunk before the bad one", () => {
    const frames: unknown[] = [];
    const reader = createNdjsonReader((frame) => {
      frames.push(frame);
      return false;
    });
    expect(() => reader.push(bytesOf('{"a":1}\n{"b"\n'))).toThrow(
      expect.objectContaining({ kind: "malformed" }),
    );
    expect(frames).toEqual([{ a: 1 }]);
  });

  it("calls a body that ends inside a line torn, not malformed", () => {
    const read = () => framesOf(createNdjsonReader, [bytesOf('{"a":1}\n{"oops')]);
    expect(read).toThrow(expect.objectContaining({ kind: "network" }));
  });

  it("reads nothing after the frame that was wanted last", () => {
    const frames: unknown[] = [];
    const reader = createNdjsonReader((frame) => frames.push(frame) === 2);
    expect(reader.push(bytesOf('1\n2\n3\n{"oops\n'))).toBe(true);
    expect(frames).toEqual([1, 2]);
  });

  it("refuses a line beyond its bound without keeping it", () => {
    const reader = createNdjsonReader(() => false, 1000);
    expect(() => {
      for (let piece = 0; piece < 20; piece++) reader.push(bytesOf("x".repeat(100)));
    }).toThrow(
      expect.objectContaining({ kind: "malformed", message: expect.stringContaining("1000 bytes") }),
    );
  });
});
