import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openJobsFolder } from "../../src/folder/jobs-folder.js";
import { keepScan, readLastScan, type ScanRecord } from "../../src/folder/scan-records.js";
import { namesIn, projectWith } from "../support/temporary-folder.js";

const recordAt = (at: number): ScanRecord => ({
  version: 1,
  at,
  endedAt: at,
  due: 1,
  running: 0,
  outcomes: [],
  errors: [{ filename: "a.md", message: "no model" }],
  warnings: [],
});

it("keeps the newest 64 looks, also those of one moment, and the last one in a file of its own", async () => {
  const root = await projectWith({});
  const folder = await openJobsFolder(root);
  const start = Date.parse("2027-01-05T12:00:00Z");
  for (let index = 0; index < 70; index += 1) await keepScan(folder, recordAt(start + Math.floor(index / 2)));
  const names = await namesIn(root, "runs");
  expect(names).toHaveLength(64);
  expect(names[0]).toBe("scan 2027-01-05T12-00-00.003Z 001.json");
  expect(await readLastScan(folder)).toMatchObject({ at: start + 34 });
});

it("tells a look that did nothing in the last record alone", async () => {
  const root = await projectWith({});
  const folder = await openJobsFolder(root);
  await keepScan(folder, { ...recordAt(1), errors: [] });
  expect(await namesIn(root, "runs")).toEqual([]);
  expect(await readLastScan(folder)).toMatchObject({ at: 1 });
  await writeFile(folder.lastRun, "{");
  expect(await readLastScan(folder)).toBeUndefined();
});
