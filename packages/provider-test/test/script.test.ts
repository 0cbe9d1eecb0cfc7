import { describe, expect, it } from "vitest";
import { parseScript } from "../src/index.js";

describe("an authored script", () => {
  it("is an array of turns, a turn one step or several", () => {
    expect(parseScript([{ text: "a" }, [{ thinking: "b" }, { delay: 5 }]], "script")).toEqual([
      [{ text: "a" }],
      [{ thinking: "b" }, { delay: 5 }],
    ]);
  });

  it("may be JSON text", () => {
    expect(parseScript('[{"text":"a"}]', "script")).toEqual([[{ text: "a" }]]);
  });

  it("fills in what a call leaves out", () => {
    expect(parseScript([{ toolCall: { name: "list" } }], "script")).toEqual([
      [{ toolCall: { name: "list", arguments: {} } }],
    ]);
  });

  it("keeps every fact of an error", () => {
    const error = { message: "busy", kind: "provider", status: 429, retryAfterMs: 10, retryable: true };
    expect(parseScript([{ error }], "script")).toEqual([[{ error }]]);
  });

  it.each([
    { source: "[{", at: "script", wanted: "not JSON" },
    { source: {}, at: "script", wanted: "an array" },
    { source: [], at: "script", wanted: "at least one turn" },
    { source: [[]], at: "script[0]", wanted: "at least one step" },
    { source: ["hi"], at: "script[0]", wanted: "one key" },
    { source: [{}], at: "script[0]", wanted: "one key" },
    { source: [{ text: "a", delay: 1 }], at: "script[0]", wanted: "one key" },
    {
      source: [[{ text: "a" }, { say: "b" }]],
      at: "script[0][1].say",
      wanted: "thinking, text, toolCall, error, delay",
    },
    { source: [{ text: [] }], at: "script[0].text", wanted: "at least one part" },
    { source: [{ text: ["a", 7] }], at: "script[0].text[1]", wanted: "a quote" },
    { source: [{ text: [{ line: 1 }] }], at: "script[0].text[0].result", wanted: "text" },
    { source: [{ text: [{ result: "read", line: 0 }] }], at: "script[0].text[0].line", wanted: "not 0" },
    { source: [{ text: [{ result: "read", line: 1.5 }] }], at: "script[0].text[0].line", wanted: "whole" },
    { source: [{ text: 7 }], at: "script[0].text", wanted: "text" },
    { source: [{ delay: "soon" }], at: "script[0].delay", wanted: "milliseconds" },
    { source: [{ delay: -1 }], at: "script[0].delay", wanted: "milliseconds" },
    { source: [{ toolCall: "read" }], at: "script[0].toolCall", wanted: "an object" },
    { source: [{ toolCall: { arguments: {} } }], at: "script[0].toolCall.name", wanted: "text" },
    { source: [{ error: { message: "x", kind: "odd" } }], at: "script[0].error.kind", wanted: "one of auth" },
    {
      source: [{ error: { message: "x", status: "no" } }],
      at: "script[0].error.status",
      wanted: "a whole number",
    },
    { source: [{ error: {} }], at: "script[0].error.message", wanted: "text" },
  ])("is refused by place: $at for $source", ({ source, at, wanted }) => {
    expect(() => parseScript(source, "script")).toThrow(
      expect.objectContaining({
        kind: "malformed",
        details: { at },
        message: expect.stringContaining(wanted),
      }),
    );
  });
});
