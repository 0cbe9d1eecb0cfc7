import { canonicalJson, jsonEqual } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";
import { failureOf } from "../support/failure.js";

it.each([
  { why: "keys are sorted", value: { b: 1, a: 2 }, text: '{"a":2,"b":1}' },
  { why: "at every level, inside arrays too", value: [{ b: { d: 1, c: 2 } }], text: '[{"b":{"c":2,"d":1}}]' },
  { why: "undefined members do not count", value: { a: undefined, b: null }, text: '{"b":null}' },
  { why: "undefined in an array is null", value: [undefined], text: "[null]" },
  {
    why: "`__proto__` is a key like any other",
    value: JSON.parse('{"a":1,"__proto__":{"x":1}}'),
    text: '{"__proto__":{"x":1},"a":1}',
  },
  { why: "nothing is null", value: undefined, text: "null" },
])("writes $text: $why", ({ value, text }) => {
  expect(canonicalJson(value)).toBe(text);
});

it("gives data that differs only in its key order one text, and other data another", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(canonicalJson(shuffled(a))).toBe(canonicalJson(a));
      expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)));
      expect(jsonEqual(shuffled(a), a)).toBe(true);
      expect(jsonEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
    }),
  );
});

it("refuses a cycle instead of exhausting the stack", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(failureOf(() => canonicalJson(cycle)).kind).toBe("malformed");
});

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}
