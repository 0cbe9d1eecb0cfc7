import { Context, type ContextItem, messageUser, wellFormed, wellFormedJson } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonData, messyText } from "../support/arbitrary.js";
import { placeOf } from "../support/failure.js";

/** What a context makes of a message's metadata. */
const kept = (extra: unknown): unknown => {
  const item: ContextItem = { type: 2, content: [{ type: "text", text: "x" }], extra };
  return new Context({ items: [item] }).at(0)?.extra;
};

describe("strings", () => {
  it.each([
    { why: "a high half alone", text: "a\ud83d", whole: "a\ufffd" },
    { why: "a low half alone", text: "\udc00b", whole: "\ufffdb" },
    { why: "halves in the wrong order", text: "\ude42\ud83d", whole: "\ufffd\ufffd" },
    { why: "NUL is a character", text: "a\0b", whole: "a\0b" },
    { why: "pairs stay", text: "é🙂日", whole: "é🙂日" },
  ])("become well-formed: $why", ({ text, whole }) => {
    expect(wellFormed(text)).toBe(whole);
    expect(kept(text)).toBe(whole);
  });

  it("are the same string when nothing was wrong", () => {
    fc.assert(
      fc.property(messyText, (text) => {
        const whole = wellFormed(text);
        expect(whole).toBe(text.replace(/\p{Surrogate}/gu, "\ufffd"));
        expect(wellFormed(whole)).toBe(whole);
      }),
    );
  });
});

describe("keys", () => {
  it("keep `__proto__` as data and never touch a prototype", () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    const copy = kept(hostile);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(hostile));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  it("become well-formed as well", () => {
    expect(kept({ "a\ud83d": 1 })).toEqual({ "a\ufffd": 1 });
  });
});

describe("what JSON cannot hold is refused by place", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  it.each([
    { why: "a function", value: { f: () => 1 }, at: "context[0].extra.f" },
    { why: "a date", value: [new Date(0)], at: "context[0].extra[0]" },
    { why: "a map", value: { m: new Map() }, at: "context[0].extra.m" },
    { why: "no number", value: { n: Number.NaN }, at: "context[0].extra.n" },
    { why: "a big integer", value: 1n, at: "context[0].extra" },
    { why: "a hole in an array", value: [undefined], at: "context[0].extra[0]" },
    { why: "a cycle", value: cycle, at: "context[0].extra.self.self" },
  ])("$why", ({ value, at }) => {
    expect(placeOf(() => kept(value))).toBe(at);
  });
});

it("takes plain objects without a prototype and drops undefined members", () => {
  const bare: Record<string, unknown> = Object.create(null);
  bare.a = 1;
  expect(kept({ bare, gone: undefined })).toEqual({ bare: { a: 1 } });
});

it("freezes a copy and leaves the caller's object alone", () => {
  const metadata = { list: [{ a: 1 }] };
  const copy = kept(metadata);
  metadata.list.push({ a: 2 });
  expect(copy).toEqual({ list: [{ a: 1 }] });
  expect(Object.isFrozen(copy)).toBe(true);
});

it("does not copy what is frozen already", () => {
  const message = messageUser("hello");
  expect(new Context({ items: [message] }).at(0)).toBe(message);
});

it("keeps any JSON data as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (data) => {
      expect(JSON.stringify(kept(data))).toBe(JSON.stringify(data));
    }),
  );
});

it("makes any JSON data well-formed, and is the same object when it was", () => {
  fc.assert(
    fc.property(fc.oneof(jsonData, fc.dictionary(messyText, messyText)), (data) => {
      const whole = wellFormedJson(data);
      expect(/\\ud[89a-f]/i.test(JSON.stringify(whole))).toBe(false);
      expect(wellFormedJson(whole)).toBe(whole);
    }),
  );
});
