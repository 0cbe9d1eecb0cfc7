import { parseDuration } from "@ashlar/env";
import { expect, it } from "vitest";

it.each([
  [1500, 1500],
  [0.5, 0.5],
  ["500ms", 500],
  ["30s", 30_000],
  ["1h 30m", 5_400_000],
  ["1h30m", 5_400_000],
  ["1.5 h", 5_400_000],
  [" 2d ", 172_800_000],
])("reads %j as %d milliseconds", (value, milliseconds) => {
  expect(parseDuration(value)).toBe(milliseconds);
});

it.each([
  0,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "0s",
  "-5m",
  "",
  "5",
  "5 parsecs",
  "s",
  "1e3s",
  "1h,30m",
  null,
  undefined,
  true,
  [],
  {},
])("refuses %j and names the key", (value) => {
  const attempt = () => parseDuration(value, "tools.timeout");
  expect(attempt).toThrow(expect.objectContaining({ kind: "settings", details: { key: "tools.timeout" } }));
  expect(attempt).toThrow(/^tools\.timeout: .* is not a duration\..*"30s"/u);
});
