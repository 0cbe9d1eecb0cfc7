import { getEventListeners } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SYSTEM_CLOCK } from "../../src/daemon/clock.js";
import { createWake, type Wake } from "../../src/daemon/wake.js";
import { openJobsFolder } from "../../src/folder/jobs-folder.js";
import { projectWith } from "../support/temporary-folder.js";

async function wakeOf(root: string): Promise<Wake> {
  const wake = await createWake(await openJobsFolder(root), SYSTEM_CLOCK);
  onTestFinished(() => wake.close());
  return wake;
}

/** Resolves with true when the promise is still open after a while. */
function stays(promise: Promise<void>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 400));
  return Promise.race([promise.then(() => false), later]);
}

it.each([
  { why: "a wait that no timer of the system holds", milliseconds: 2 ** 40 },
  { why: "no end at all", milliseconds: Number.POSITIVE_INFINITY },
])("waits on with $why, until a task is written", async ({ milliseconds }) => {
  const root = await projectWith({});
  const wake = await wakeOf(root);
  const waiting = wake.wait(milliseconds, new AbortController().signal);
  expect(await stays(waiting)).toBe(true);
  await writeFile(join(root, "ai-jobs/tasks/a.md"), "Do it.\n");
  await waiting;
});

it("does not miss a change that came before the wait", async () => {
  const root = await projectWith({});
  const wake = await wakeOf(root);
  await writeFile(join(root, "ai-jobs/tasks/a.md"), "Do it.\n");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await wake.wait(Number.POSITIVE_INFINITY, new AbortController().signal);
});

it("ends with the signal, and leaves nothing on it", async () => {
  const wake = await wakeOf(await projectWith({}));
  const stop = new AbortController();
  for (let count = 0; count < 20; count += 1) await wake.wait(-5, stop.signal);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  const waiting = wake.wait(Number.POSITIVE_INFINITY, stop.signal);
  stop.abort();
  await waiting;
  await wake.wait(Number.POSITIVE_INFINITY, stop.signal);
});
