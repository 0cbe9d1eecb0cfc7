import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../soak/jobs.mjs", import.meta.url));

it("runs 200 due tasks once each under eight schedulers, one of them killed in the middle", {
  timeout: 240_000,
}, async () => {
  const child = spawn(process.execPath, [program, "--schedulers", "8", "--tasks", "200"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  expect(JSON.parse(output)).toMatchObject({ schedulers: 8, completed: 200, interrupted: 1 });
});
