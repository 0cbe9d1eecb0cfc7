import { AshlarError, isAshlarError } from "@ashlar/context";
import { EnvError, isEnvError } from "@ashlar/env";
import { expect, it } from "vitest";
import { DiagnosticLog } from "../src/diagnostic-log.js";

it("is known by its mark and name, whichever copy of the class made it", () => {
  class Minified extends AshlarError<"usage", { argument: string }> {}
  const foreign = new Minified("usage", "x", { argument: "dir" });
  foreign.name = "EnvError";
  expect(isEnvError(foreign)).toBe(true);
  expect(isEnvError(new EnvError("closed", "x", {}))).toBe(true);
  expect(isEnvError(new Minified("usage", "x", { argument: "dir" }))).toBe(false);
  expect(isEnvError(Object.assign(new Error("x"), { name: "EnvError", kind: "usage" }))).toBe(false);
  expect(isEnvError({ name: "EnvError", kind: "usage" })).toBe(false);
});

it("carries kind, details and cause, and serialises without the cause", () => {
  const error = new EnvError("settings", "text", { key: "model", line: 3 }, { cause: new Error("why") });
  expect(isAshlarError(error)).toBe(true);
  expect(error.cause).toEqual(new Error("why"));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "EnvError",
    kind: "settings",
    message: "text",
    details: { key: "model", line: 3 },
  });
});

it("keeps a diagnostic once, and the latest 500", () => {
  const log = new DiagnosticLog();
  for (let index = 0; index < 600; index += 1) {
    log.add({ kind: "event", message: `${index}` });
    log.add({ kind: "event", message: `${index}` });
  }
  const messages = log.entries().map(({ message }) => message);
  expect([messages.length, messages[0], messages.at(-1)]).toEqual([500, "100", "599"]);
});
