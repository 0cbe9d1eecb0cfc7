import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { finish } from "./command.js";

const run = (file: string, ...args: string[]) =>
  finish(
    spawn(process.execPath, [fileURLToPath(new URL(`../${file}`, import.meta.url)), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );

it.each(Object.entries(manifest.bin))("%s says its version, and what it takes", async (name, file) => {
  for (const flag of ["--version", "-V"])
    expect(await run(file, flag)).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  const help = await run(file, "--help");
  expect(help.code).toBe(0);
  expect(help.stdout).toContain(`Usage: ${name.replace("-", " ")}`);
});
