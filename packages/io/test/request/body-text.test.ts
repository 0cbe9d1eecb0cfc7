import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyText } from "../../src/request/body-text.js";

/** Deeply frozen, as stored messages are. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

const json = fc.jsonValue({ depthSize: "small" });

describe("bodyText", () => {
  it("is what JSON.stringify gives, the first time and again", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.array(json), (fields, messages) => {
        const body = { ...fields, messages, stored: messages.map((message) => frozen(message)) };
        expect(bodyText(body)).toBe(JSON.stringify(body));
        expect(bodyText(body)).toBe(JSON.stringify(body));
      }),
    );
  });

  it.each([
    { why: "a text", body: "already text", text: "already text" },
    { why: "no body", body: undefined, text: undefined },
    { why: "a list", body: [1, undefined], text: "[1,null]" },
    {
      why: "members that JSON leaves out",
      body: { a: undefined, list: [undefined, 1] },
      text: '{"list":[null,1]}',
    },
    { why: "a body that says itself what it is", body: { a: 1, toJSON: () => ({ b: 2 }) }, text: '{"b":2}' },
    {
      why: "a date in a list",
      body: { at: [new Date(0)] },
      text: '{"at":["1970-01-01T00:00:00.000Z"]}',
    },
  ])("takes $why", ({ body, text }) => {
    expect(bodyText(body)).toBe(text);
  });

  it("shows a change of a member that is not frozen to the last part", () => {
    const part = { text: "before" };
    const message = Object.freeze({ content: Object.freeze([part]) });
    expect(bodyText({ messages: [message] })).toContain("before");
    part.text = "after";
    expect(bodyText({ messages: [message] })).toContain("after");
  });

  it("replaces lone surrogates wherever they stand", () => {
    const text = bodyText({ "k\uD800": "v\uDC00", list: [frozen({ text: "\uD83D" }), "\uDFFF"], ok: "🙂" });
    expect(text).toBe('{"k\uFFFD":"v\uFFFD","list":[{"text":"\uFFFD"},"\uFFFD"],"ok":"🙂"}');
  });
});
