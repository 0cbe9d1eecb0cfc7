import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createArgumentValidator } from "../../../src/tools/validation/argument-validator.js";

/** Node before 24 then resolves modules to the paths of links, if it knows the folders above them. */
function lookAtPipe(): void {
  const folder = mkdtempSync(join(tmpdir(), "ashlar-pipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true);
}

it("validates where packages are links, as pnpm makes them, after the host has looked at a pipe", () => {
  const require = createRequire(import.meta.url);
  require("jsonc-parser");
  lookAtPipe();
  const { validate } = createArgumentValidator();
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  expect(validate(schema, { path: "README.md" }, true)).toMatchObject({ ok: true });
  expect(validate(schema, {}, true)).toMatchObject({
    ok: false,
    problems: [expect.stringContaining("path")],
  });
});
