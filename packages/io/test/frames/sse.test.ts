import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseReader } from "../../src/frames/sse.js";
import { bytesOf, cutAt, framesOf, oneByOne } from "./collect.js";

const hi = { choices: [{ index: 0, delta: { content: "hi" } }] };
const stop = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const noisy = [
  ": waiting in queue",
  "",
  ":",
  "",
  "data:",
  "",
  "event: ping",
  "data: ",
  "",
  "data: : keepalive",
  "",
  `data:${JSON.stringify(hi)}`,
  "",
  ": cost=0.01",
  `data: ${JSON.stringify(stop)}`,
  "",
  "data: [DONE]",
  "",
  "",
].join("\n");
const read = (text: string) => framesOf(createSseReader, [bytesOf(text)]);

describe("reading server-sent events", () => {
  it.each([
    { why: "in one piece", pieces: [bytesOf(noisy)] },
    { why: "one byte a piece", pieces: oneByOne(bytesOf(noisy)) },
    { why: "with CRLF", pieces: [bytesOf(noisy.replaceAll("\n", "\r\n"))] },
    { why: "with CRLF, one byte a piece", pieces: oneByOne(bytesOf(noisy.replaceAll("\n", "\r\n"))) },
    { why: "with a byte order mark", pieces: [Uint8Array.of(0xef, 0xbb, 0xbf), bytesOf(noisy)] },
  ])("takes keep-alives of every shape for noise, $why", ({ pieces }) => {
    expect(framesOf(createSseReader, pieces)).toEqual([hi, stop, null]);
  });

  it("does not take cut JSON in a complete frame for noise", () => {
    const text = noisy.replace("data:{", 'data: {"choices":[{"ind\n\ndata:{');
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: "malformed" }));
  });

  it.each([
    {
      why: "data on several lines is one value",
      text: 'data: {"a":\ndata: 1}\n\n',
      frames: [{ a: 1 }, null],
    },
    {
      why: "fields in any order, and unknown ones",
      text: "id: 7\nretry: 10\nfoo: x\ndata: 1\nevent: e\n\n",
      frames: [1, null],
    },
    { why: "a ping with data", text: 'event: ping\ndata: {"type":"ping"}\n\ndata: 1\n\n', frames: [1, null] },
    { why: "a heartbeat that is not JSON", text: "event: heartbeat\ndata: tick\n\n", frames: [null] },
    {
      why: "an error event says that it is one",
      text: 'event: error\ndata: {"message":"m"}\n\n',
      frames: [{ error: { message: "m" } }, null],
    },
    {
      why: "an error event that says so itself",
      text: 'event: error\ndata: {"error":"m"}\n\n',
      frames: [{ error: "m" }, null],
    },
    { why: "a last event without its blank line", text: "data: 1", frames: [1, null] },
    { why: "a last event after one newline", text: "data: 1\n", frames: [1, null] },
    { why: "a bare line of JSON", text: '{"error":"loading"}\n', frames: [{ error: "loading" }, null] },
    { why: "nothing after the end mark", text: "data: [DONE]\n\ndata: {broken\n\n", frames: [null] },
    { why: "an end mark without a blank after the colon", text: "data:[DONE]\n\n", frames: [null] },
    { why: "an end mark at the very end", text: "data: 1\n\ndata: [DONE]", frames: [1, null] },
    { why: "a data value of null", text: "data: null\n\ndata: 1\n\n", frames: [1, null] },
    { why: "an empty body", text: "", frames: [null] },
    { why: "an event without data", text: "event: x\n\ndata: 1\n\n", frames: [1, null] },
  ])("$why", ({ text, frames }) => {
    expect(read(text)).toEqual(frames);
  });

  it("forgets the name of an event with the event", () => {
    expect(read('event: error\ndata: {"message":"m"}\n\ndata: {"message":"n"}\n\n')).toEqual([
      { error: { message: "m" } },
      { message: "n" },
      null,
    ]);
  });

  it("gives the same frames whatever the cuts are", () => {
    const frame = fc.oneof(
      fc.object({ maxDepth: 2 }),
      fc.integer(),
      fc.array(fc.string({ unit: "grapheme" })),
    );
    const noise = fc.constantFrom("", ": ka\n\n", "data:\n\n", "event: ping\ndata: x\n\n", "id: 1\n");
    const input = fc.array(fc.tuple(noise, frame, fc.constantFrom("data: ", "data:")), { maxLength: 6 });
    fc.assert(
      fc.property(input, fc.array(fc.nat(2000), { maxLength: 12 }), fc.boolean(), (events, cuts, crlf) => {
        const text = events
          .map(([before, value, field]) => `${before}${field}${JSON.stringify(value)}\n\n`)
          .join("");
        const bytes = bytesOf(crlf ? text.replaceAll("\n", "\r\n") : text);
        const expected = [...events.map(([, value]) => JSON.parse(JSON.stringify(value))), null];
        expect(framesOf(createSseReader, cutAt(bytes, cuts))).toEqual(expected);
      }),
    );
  });

  it("calls an event that the end of the body cut off torn, not malformed", () => {
    expect(() => read('data: 1\n\ndata: {"a')).toThrow(expect.objectContaining({ kind: "network" }));
  });

  it("bounds an event of many lines", () => {
    const reader = createSseReader(() => false, 1000);
    const lines = bytesOf(`data: ${"x".repeat(100)}\n`.repeat(20));
    expect(() => reader.push(lines)).toThrow(expect.objectContaining({ kind: "malformed" }));
  });
});
