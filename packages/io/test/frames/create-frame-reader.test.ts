import { describe, expect, it } from "vitest";
import { createFrameReader } from "../../src/frames/create-frame-reader.js";
import { bytesOf, framesOf, oneByOne } from "./collect.js";

const pretty = JSON.stringify({ error: { message: "é" } }, null, 2);

describe("choosing the reader of a response", () => {
  it("reads one JSON value on many lines where an event stream was asked for and JSON came", () => {
    const pieces = oneByOne(bytesOf(pretty));
    const frames = framesOf((on) => createFrameReader("sse", "application/json; charset=utf-8", on), pieces);
    expect(frames).toEqual([{ error: { message: "é" } }, null]);
  });

  it.each(["", "text/event-stream", "text/plain"])("reads events from content type %j", (contentType) => {
    const frames = framesOf((on) => createFrameReader("sse", contentType, on), [bytesOf("data: 1\n\n")]);
    expect(frames).toEqual([1, null]);
  });

  it("reads lines whatever the content type is", () => {
    const frames = framesOf((on) => createFrameReader("ndjson", "application/json", on), [bytesOf("1\n2\n")]);
    expect(frames).toEqual([1, 2, null]);
  });

  it("calls JSON that ends too early torn", () => {
    const read = () => framesOf((on) => createFrameReader("sse", "application/json", on), [bytesOf('{"a":')]);
    expect(read).toThrow(expect.objectContaining({ kind: "network" }));
  });
});
