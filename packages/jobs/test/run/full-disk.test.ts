import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { init } from "../../src/jobs.js";
import { outcomesOf, schedulerOf } from "../support/scans.js";
import { scriptedRunner } from "../support/scripted-runner.js";
import { namesIn, temporaryFolder, writeTasks } from "../support/temporary-folder.js";

/** A file system of its own with room for little; undefined where this user may not mount one. */
function mountSmall(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    console.log(`not run: no small file system can be mounted here (${String(error).split("\n")[0]})`);
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return true;
}

async function fill(folder: string): Promise<void> {
  for (let size = 128 * 1024; size >= 512; size = Math.floor(size / 2)) {
    for (let index = 0; index < 8; index += 1) {
      try {
        await writeFile(join(folder, `fill-${size}-${index}`), "x".repeat(size));
      } catch {
        // It is full, which is what is wanted; what was written of the file stays.
        break;
      }
    }
  }
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith("fill-")) await rm(join(folder, name));
}

describe("a full disk", () => {
  it("keeps tasks from beginning, says so, and loses none", async ({ skip }) => {
    const root = join(await temporaryFolder(), "small");
    await mkdir(root);
    if (!mountSmall(root)) return skip("no small file system can be mounted here");
    await init(root);
    await writeTasks(root, { "a.md": "Do it.\n", "r.md": "---\nschedule: every 1h\n---\nDo it.\n" });
    const scheduler = await schedulerOf(root);
    await fill(root);
    const runner = scriptedRunner();
    const scan = await scheduler.scan("2027-01-05T12:00Z", runner);
    expect([runner.began, outcomesOf(scan)]).toEqual([[], []]);
    expect(scan.errors.map(({ message }) => message)).toContainEqual(expect.stringContaining("ENOSPC"));
    expect(await namesIn(root, "tasks")).toEqual(["a.md", "r.md"]);
    await empty(root);
    const after = await scheduler.scan("2027-01-05T12:01Z", scriptedRunner());
    expect(outcomesOf(after).toSorted()).toEqual(["a.md completed", "r.md completed"]);
  });

  it("that fills up under a job loses neither its end nor runs it again", async ({ skip }) => {
    const root = join(await temporaryFolder(), "small");
    await mkdir(root);
    if (!mountSmall(root)) return skip("no small file system can be mounted here");
    await init(root);
    await writeTasks(root, { "a.md": "Do it.\n" });
    const scheduler = await schedulerOf(root);
    const runner = scriptedRunner({
      work: async () => {
        await fill(root);
        return { outcome: "completed", exitCode: 0 };
      },
    });
    const scan = await scheduler.scan("2027-01-05T12:00Z", runner);
    expect(outcomesOf(scan)).toEqual(["a.md completed"]);
    expect(scan.errors.map(({ message }) => message)).toContainEqual(expect.stringContaining("ENOSPC"));
    expect((await scheduler.state.list(1))[0]?.end).toBeUndefined();
    await empty(root);
    expect(outcomesOf(await scheduler.scan("2027-01-05T12:01Z", scriptedRunner()))).toEqual([]);
    expect((await scheduler.state.list(1))[0]?.end?.outcome).toBe("completed");
    expect(await namesIn(root, "completed")).toEqual(["2027-01-05 001 a.md"]);
  });
});
