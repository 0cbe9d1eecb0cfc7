import { validateMessage, validateMessages } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messyMessage } from "../support/arbitrary.js";
import { failureOf, placeOf } from "../support/failure.js";

const text = { type: "text", text: "x" };
const user = { type: 2, content: [text] };

it.each([
  { why: "not an array", value: { type: 2 }, at: "context" },
  { why: "a member that is no object", value: [user, "hello"], at: "context[1]" },
  { why: "a member that is null", value: [null], at: "context[0]" },
  { why: "type 0 is reserved", value: [{ type: 0, content: [] }], at: "context[0].type" },
  { why: "a type from the future", value: [{ type: 9, content: [] }], at: "context[0].type" },
  { why: "no content", value: [{ type: 2 }], at: "context[0].content" },
  { why: "content as a string", value: [{ type: 2, content: "hi" }], at: "context[0].content" },
  { why: "a block that is no object", value: [{ type: 2, content: ["hi"] }], at: "context[0].content[0]" },
  {
    why: "a block without a type",
    value: [{ type: 2, content: [text, {}] }],
    at: "context[0].content[1].type",
  },
  {
    why: "a text without text",
    value: [{ type: 2, content: [{ type: "text" }] }],
    at: "context[0].content[0].text",
  },
  {
    why: "an image without data",
    value: [{ type: 2, content: [{ type: "image" }] }],
    at: "context[0].content[0].content",
  },
  {
    why: "a call without its id",
    value: [user, user, user, { type: 3, content: [{ type: "toolCall", name: "read", arguments: {} }] }],
    at: "context[3].content[0].callId",
  },
  {
    why: "a call with an empty name",
    value: [{ type: 3, content: [{ type: "toolCall", callId: "a", name: "", arguments: {} }] }],
    at: "context[0].content[0].name",
  },
  {
    why: "a call without arguments",
    value: [{ type: 3, content: [{ type: "toolCall", callId: "a", name: "b" }] }],
    at: "context[0].content[0].arguments",
  },
  { why: "a result without its call's id", value: [{ type: 4, content: [] }], at: "context[0].callId" },
  {
    why: "a result whose display is a string",
    value: [{ type: 4, callId: "a", content: [], display: "x" }],
    at: "context[0].display",
  },
  { why: "an error that is a number", value: [{ type: 3, content: [], error: 5 }], at: "context[0].error" },
  {
    why: "a retry that is a string",
    value: [{ type: 3, content: [], error: { message: "m", retry: "2s" } }],
    at: "context[0].error.retry",
  },
])("names the place of $why", ({ value, at }) => {
  expect(placeOf(() => validateMessages(value))).toBe(at);
  expect(failureOf(() => validateMessages(value)).message.startsWith(`${at}: expected `)).toBe(true);
});

describe("accepts and keeps", () => {
  it.each([
    { why: "an empty context", value: [] },
    { why: "records", value: [{ type: "note", anything: { at: "all" } }] },
    { why: "blocks nobody knows", value: [{ type: 2, content: [{ type: "hologram", depth: 3 }] }] },
    { why: "metadata nobody knows", value: [{ ...user, worker: "w1", constructor: 1 }] },
    {
      why: "a rate limit on an assistant message",
      value: [{ type: 3, content: [], error: { message: "m", retry: 5 } }],
    },
  ])("$why", ({ value }) => {
    expect(validateMessages(value)).toEqual(value);
  });

  it("any message that the builders could make", () => {
    const named = messyMessage.filter((message) => !JSON.stringify(message).includes('"callId":""'));
    fc.assert(fc.property(named, (message) => validateMessage(message) === message));
  });
});
