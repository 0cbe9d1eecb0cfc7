import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openJobsFolder } from "../../src/folder/jobs-folder.js";
import { createProblemLog, shorten } from "../../src/folder/problem-log.js";
import { namesIn, projectWith } from "../support/temporary-folder.js";

const NOW = Date.parse("2027-01-05T12:00:00Z");

it("says a problem once a day, however many schedulers find it", async () => {
  const root = await projectWith({});
  const folder = await openJobsFolder(root);
  const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
  const logs = Array.from({ length: 8 }, () => createProblemLog({ folder, root, dayOf }));
  await Promise.all(logs.map((log) => log.add({ filename: "a.md", message: "it is\n  wrong" }, NOW)));
  await logs[0]?.add({ message: "something else" }, NOW);
  await logs[1]?.add({ filename: "a.md", message: "it is wrong" }, NOW + 86_400_000);
  expect(await readFile(join(folder.errors, "2027-01-05.md"), "utf8")).toBe(
    "- 2027-01-05T12:00:00.000Z tasks/a.md: it is wrong\n- 2027-01-05T12:00:00.000Z something else\n",
  );
  expect(await namesIn(root, "errors")).toEqual(["2027-01-05.md", "2027-01-06.md"]);
  await logs[2]?.add({ message: "later" }, NOW + 5 * 86_400_000);
  expect(await namesIn(root, "state/.problems")).toHaveLength(2);
});

it.each([
  { text: "/home/me/p/ai-jobs/tasks/a.md: no", expected: "ai-jobs/tasks/a.md: no" },
  { text: "open '/home/other/.config/ashlar/settings.json'", expected: "open '…/ashlar/settings.json'" },
  { text: "see https://example.com/a/b/c and 1/2/3", expected: "see https://example.com/a/b/c and 1/2/3" },
])("tells $expected", ({ text, expected }) => {
  expect(shorten(text, "/home/me/p")).toBe(expected);
});
