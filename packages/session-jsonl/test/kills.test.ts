import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { bundlePrograms } from "./support/bundle.js";

let programs: Awaited<ReturnType<typeof bundlePrograms>>;
beforeAll(async () => {
  programs = await bundlePrograms();
});
afterAll(() => programs.dispose());

const KILLS = 100;

it("loses nothing that was committed and invents nothing, killed at random moments", {
  timeout: 240_000,
}, async () => {
  const child = spawn(process.execPath, [programs.path("kills"), String(KILLS)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  const counts: unknown = JSON.parse(output);
  expect(counts).toMatchObject({ kills: KILLS });
});
