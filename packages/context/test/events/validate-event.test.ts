import { validateEvent } from "@ashlar/context";
import { expect, it } from "vitest";
import { failureOf, placeOf } from "../support/failure.js";
import { eventSamples } from "./event-samples.js";

it.each(eventSamples.map((event) => ({ type: event.type, event })))("accepts a $type event", ({ event }) => {
  expect(validateEvent(event)).toBe(event);
});

it.each([
  { why: "nothing", event: undefined, at: "event" },
  { why: "an array", event: [], at: "event" },
  { why: "no type", event: {}, at: "event.type" },
  { why: "a type nobody knows", event: { type: "toolcall_start" }, at: "event.type" },
  { why: "a type that is a prototype's", event: { type: "constructor" }, at: "event.type" },
  { why: "a start of another version", event: { type: "start", version: 2 }, at: "event.version" },
  { why: "a delta without an index", event: { type: "text_delta", text: "a" }, at: "event.contentIndex" },
  { why: "an index below 0", event: { type: "text_start", contentIndex: -1 }, at: "event.contentIndex" },
  { why: "an index between two", event: { type: "text_start", contentIndex: 0.5 }, at: "event.contentIndex" },
  { why: "an index as text", event: { type: "text_start", contentIndex: "0" }, at: "event.contentIndex" },
  { why: "a delta without text", event: { type: "thinking_delta", contentIndex: 0 }, at: "event.text" },
  {
    why: "an end whose text is a number",
    event: { type: "text_end", contentIndex: 0, text: 5 },
    at: "event.text",
  },
  {
    why: "an extra that is text",
    event: { type: "thinking_end", contentIndex: 0, extra: "s" },
    at: "event.extra",
  },
  {
    why: "a call without an id",
    event: { type: "tool_call_start", contentIndex: 0, name: "x" },
    at: "event.callId",
  },
  {
    why: "a call without a name",
    event: { type: "tool_call_start", contentIndex: 0, callId: "" },
    at: "event.name",
  },
  {
    why: "a call that is perhaps executed",
    event: { type: "tool_call_start", contentIndex: 0, callId: "", name: "x", executed: "yes" },
    at: "event.executed",
  },
  {
    why: "a fragment that is parsed",
    event: { type: "tool_call_delta", contentIndex: 0, arguments: {} },
    at: "event.arguments",
  },
  {
    why: "a result that is text",
    event: { type: "tool_call_result", contentIndex: 0, content: "x" },
    at: "event.content",
  },
  {
    why: "a result with a broken block",
    event: { type: "tool_call_result", contentIndex: 0, content: [{ type: "text" }] },
    at: "event.content[0].text",
  },
  { why: "a reason nobody knows", event: { type: "done", doneReason: "tool_calls" }, at: "event.doneReason" },
  { why: "an error without text", event: { type: "error" }, at: "event.error" },
  {
    why: "an error of a kind nobody knows",
    event: { type: "error", error: "x", kind: "timeout" },
    at: "event.kind",
  },
])("refuses $why by place", ({ event, at }) => {
  expect(failureOf(() => validateEvent(event)).kind).toBe("malformed");
  expect(placeOf(() => validateEvent(event))).toBe(at);
});

it("names the place that the caller gives", () => {
  expect(placeOf(() => validateEvent({ type: "error" }, "frame 3"))).toBe("frame 3.error");
});
