import { EXIT_CODES, exitCodeOf, type ResultKind } from "@ashlar/agent/loop";
import { expect, it } from "vitest";

it.each([
  ["success", 0],
  ["usage", 1],
  ["other", 1],
  ["auth", 2],
  ["network", 3],
  ["provider", 4],
  ["malformed", 5],
  ["budget", 6],
  ["refused", 7],
  ["cancelled", 130],
] as const)("a run that ends as %s exits with %i, for good", (kind: ResultKind, code) => {
  expect(exitCodeOf({ kind })).toBe(code);
});

it("knows no other kinds and cannot be changed", () => {
  expect(Object.keys(EXIT_CODES)).toHaveLength(10);
  expect(Object.isFrozen(EXIT_CODES)).toBe(true);
});
