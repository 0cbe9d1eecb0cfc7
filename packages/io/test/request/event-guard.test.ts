import type { ResponseEvent } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { EventGuard } from "../../src/request/event-guard.js";

const check = (events: readonly unknown[]) => {
  const guard = new EventGuard();
  // What a connector sends is only claimed to be events.
  const progress = events.map((event) => guard.check(event as ResponseEvent));
  return { progress, pendingCalls: guard.pendingCalls };
};
const start = { type: "text_start", contentIndex: 0 };
const call = { type: "tool_call_start", contentIndex: 0, callId: "", name: "read" };
const executed = { ...call, executed: true };
const result = { type: "tool_call_result", contentIndex: 0, content: [] };

describe("checking the events of a connector", () => {
  it("passes blocks that are interleaved", () => {
    const { progress } = check([
      start,
      { type: "thinking_start", contentIndex: 1 },
      { ...call, contentIndex: 2 },
      { type: "tool_call_delta", contentIndex: 2, arguments: "{" },
      { type: "text_delta", contentIndex: 0, text: "a" },
      { type: "thinking_delta", contentIndex: 1, text: "b" },
      { type: "text_end", contentIndex: 0 },
      { type: "thinking_end", contentIndex: 1, text: "b" },
      { type: "tool_call_end", contentIndex: 2, arguments: {} },
    ]);
    expect(progress.every(Boolean)).toBe(true);
  });

  it("takes an empty delta for no progress: some servers keep alive with them", () => {
    expect(check([start, { type: "text_delta", contentIndex: 0, text: "" }]).progress).toEqual([true, false]);
  });

  it("knows which executed calls wait for their result", () => {
    expect(check([executed]).pendingCalls).toBe(1);
    expect(check([executed, { type: "tool_call_end", contentIndex: 0 }]).pendingCalls).toBe(1);
    expect(check([executed, { type: "tool_call_end", contentIndex: 0 }, result]).pendingCalls).toBe(0);
    expect(check([executed, result]).pendingCalls).toBe(0);
    expect(check([call]).pendingCalls).toBe(0);
  });

  it.each([
    { why: "an unknown type", events: [{ type: "text" }] },
    { why: "no event at all", events: [null] },
    { why: "a negative index", events: [{ ...start, contentIndex: -1 }] },
    { why: "a broken index", events: [{ ...start, contentIndex: 0.5 }] },
    { why: "no index", events: [{ type: "text_start" }] },
    { why: "an index that is a text", events: [{ ...start, contentIndex: "0" }] },
    {
      why: "a delta's index that is a text",
      events: [start, { type: "text_delta", contentIndex: "0", text: "a" }],
    },
    { why: "an index without end", events: [{ ...start, contentIndex: 1e9 }] },
    { why: "a delta without a block", events: [{ type: "text_delta", contentIndex: 0, text: "a" }] },
    {
      why: "a delta of another kind",
      events: [start, { type: "thinking_delta", contentIndex: 0, text: "a" }],
    },
    {
      why: "a delta after the end",
      events: [
        start,
        { type: "text_end", contentIndex: 0 },
        { type: "text_delta", contentIndex: 0, text: "a" },
      ],
    },
    { why: "a second block at an index", events: [start, start] },
    { why: "an end without a block", events: [{ type: "text_end", contentIndex: 0 }] },
    { why: "a text that is none", events: [start, { type: "text_delta", contentIndex: 0, text: 1 }] },
    { why: "a call without a name", events: [{ ...call, name: undefined }] },
    { why: "a call without an id", events: [{ ...call, callId: null }] },
    {
      why: "arguments that are no text",
      events: [call, { type: "tool_call_delta", contentIndex: 0, arguments: {} }],
    },
    { why: "a result of a call that the provider does not run", events: [call, result] },
    { why: "a second result", events: [executed, result, result] },
    { why: "a result without content", events: [executed, { ...result, content: "x" }] },
  ])("refuses $why and names the event", ({ events }) => {
    const at = `event ${events.length}`;
    expect(() => check(events)).toThrow(expect.objectContaining({ kind: "malformed", details: { at } }));
  });
});
