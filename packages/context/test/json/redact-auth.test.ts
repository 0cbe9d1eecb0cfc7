import { redactAuth } from "@ashlar/context";
import { expect, it } from "vitest";

it.each([
  { why: "at any depth", value: { a: [{ auth: { token: "s3cret" } }] }, left: { a: [{}] } },
  { why: "in any letter case", value: { Authorization: "Bearer s3cret", x: 1 }, left: { x: 1 } },
  {
    why: "with what a credential record holds beside its token",
    value: { type: "oauth", token: "s3cret", refresh: "s3cret2", expires: 1 },
    left: { type: "oauth", expires: 1 },
  },
  {
    why: "but not words that only look like it",
    value: { access: "read", refresh: 30, tokens: 5, author: "a" },
    left: { access: "read", refresh: 30, tokens: 5, author: "a" },
  },
  { why: "and nothing in plain values", value: "token", left: "token" },
])("drops credentials $why", ({ value, left }) => {
  expect(redactAuth(value)).toEqual(left);
  expect(JSON.stringify(redactAuth(value))).not.toContain("s3cret");
});

it("keeps `__proto__` as data and leaves the original alone", () => {
  const value: unknown = JSON.parse('{"__proto__":{"auth":1,"keep":2}}');
  expect(JSON.stringify(redactAuth(value))).toBe('{"__proto__":{"keep":2}}');
  expect(JSON.stringify(value)).toBe('{"__proto__":{"auth":1,"keep":2}}');
});
