import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run, status } from "../src/jobs.js";
import { scriptedEnv } from "./support/scripted-env.js";
import { projectWith } from "./support/temporary-folder.js";

const clockAt = (time: string) => ({ clock: { now: () => Date.parse(time) }, zone: "Europe/Berlin" });

it("shows tasks as they stand, without a mark of its own, and what ran", async () => {
  const root = await projectWith({
    "daily.md": '---\nschedule: { at: "07:00" }\n---\nDo it.\n',
    "off.md": "---\nenabled: false\nschedule: every 1h\n---\nDo it.\n",
    "once.md": "Do it.\n",
    "wrong.md": "---\nevery: 1h\n---\nDo it.\n",
  });
  const before = await status(root, clockAt("2027-01-05T05:00Z"));
  expect(before).toMatchObject({
    enabled: true,
    now: "2027-01-05T05:00:00.000Z",
    zone: "Europe/Berlin",
    tasks: [
      {
        filename: "daily.md",
        id: "daily.md",
        schedule: "at 07:00",
        standing: "waiting",
        next: "2027-01-05T06:00:00.000Z",
      },
      { filename: "off.md", standing: "disabled" },
      { filename: "once.md", standing: "due", schedule: "once" },
    ],
    rejected: [{ filename: "wrong.md", problem: expect.stringContaining('no key "every"') }],
    runs: [],
  });
  expect(await readdir(join(root, "ai-jobs/state"))).toEqual([]);

  const env = await scriptedEnv(root, { script: [[{ text: "done" }]] });
  const record = await run(root, {
    ...clockAt("2027-01-05T23:30Z"),
    model: "test/script",
    withEnv: (work) => work(env),
  });
  // The local day, which has begun already.
  expect(record.outcomes.map(({ number }) => number)).toEqual(["2027-01-06 001"]);
  const after = await status(root, clockAt("2027-01-05T23:31Z"));
  expect(after.tasks.map(({ filename }) => filename)).toEqual(["daily.md", "off.md"]);
  expect(after.runs).toMatchObject([{ attempt: { filename: "once.md" }, end: { outcome: "completed" } }]);
  expect(after.lastScan).toMatchObject({ version: 1, due: 1, outcomes: [{ number: "2027-01-06 001" }] });
});

it("refuses a zone that is none", async () => {
  await expect(status(await projectWith({}), { zone: "Nowhere" })).rejects.toMatchObject({ kind: "usage" });
});
