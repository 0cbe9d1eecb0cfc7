import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

/** Runs a program of `soak/`, which ends well only if what it says held; resolves with its counts. */
async function soak(name: string, args: readonly string[]): Promise<unknown> {
  const program = fileURLToPath(new URL(`../soak/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  return JSON.parse(output);
}

it("runs 200 due tasks once each under eight schedulers, one of them killed in the middle", {
  timeout: 240_000,
}, async () => {
  const counts = await soak("jobs", ["--schedulers", "8", "--tasks", "200"]);
  expect(counts).toMatchObject({ schedulers: 8, completed: 200, interrupted: 1 });
});

it("loses no task and runs none twice when schedulers are killed at random moments", {
  timeout: 240_000,
}, async () => {
  const counts = await soak("job-kills", ["--kills", "20", "--schedulers", "4"]);
  expect(counts).toMatchObject({ tasks: 80 });
});
