import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { init } from "../../src/jobs.js";

const made: string[] = [];
afterAll(async () => {
  await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A folder of its own with a blank in its name; removed at the end. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ashlar jobs-"));
  made.push(folder);
  return folder;
}

/** A project with jobs and these tasks, by file name. */
export async function projectWith(tasks: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  await init(root);
  await writeTasks(root, tasks);
  return root;
}

export async function writeTasks(root: string, tasks: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(root, "ai-jobs/tasks"), { recursive: true });
  for (const [name, text] of Object.entries(tasks)) await writeFile(join(root, "ai-jobs/tasks", name), text);
}

/** Sorted names in a folder below `ai-jobs`. */
export async function namesIn(root: string, part: string): Promise<readonly string[]> {
  return (await readdir(join(root, "ai-jobs", part))).sort();
}
