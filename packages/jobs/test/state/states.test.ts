import { spawn } from "node:child_process";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJobsFolder } from "../../src/folder/jobs-folder.js";
import { createFolderState } from "../../src/state/folder-state.js";
import type { JobState } from "../../src/state/job-state.js";
import { createMemoryState, SharedMemory } from "../support/memory-state.js";
import { projectWith } from "../support/temporary-folder.js";
import { attemptAt, describeJobState, type StateSubject } from "./job-state-conformance.js";

const NOW = Date.parse("2027-01-05T12:00:00Z");
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.once("close", resolve));
  return child.pid ?? 0;
}

function folderSubject(): StateSubject {
  let folder = "";
  return {
    name: "a folder",
    open: async () => createFolderState({ folder, dayOf }),
    reset: async () => {
      folder = (await openJobsFolder(await projectWith({}))).path;
    },
    kill: async (state) => {
      // Whoever asks sees only what the files say of the owner, so a dead process is written into those that are open.
      const pid = await deadPid();
      for (const key of ["lost", "ended"]) {
        const [name = ""] = await claimNames(join(folder, "state", key));
        const file = join(folder, "state", key, name);
        const claim = JSON.parse(await readFile(file, "utf8"));
        await writeFile(file, JSON.stringify({ ...claim, owner: { ...claim.owner, pid, start: "1" } }));
      }
      expect(state).toBeDefined();
    },
  };
}

async function claimNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^\d+\.json$/u.test(name));
}

function memorySubject(): StateSubject {
  let memory = new SharedMemory();
  const owners = new Map<JobState, object>();
  return {
    name: "memory",
    open: async () => {
      const owner = {};
      const state = createMemoryState(memory, owner);
      owners.set(state, owner);
      return state;
    },
    reset: async () => {
      memory = new SharedMemory();
    },
    kill: async (state) => {
      memory.dead.add(owners.get(state) ?? {});
    },
  };
}

describeJobState(folderSubject());
describeJobState(memorySubject());

describe("state in a folder", () => {
  it("waits an hour beyond its time limit for an owner that cannot be asked", async () => {
    const { path } = await openJobsFolder(await projectWith({}));
    const [there, here] = [
      createFolderState({ folder: path, dayOf }),
      createFolderState({ folder: path, dayOf }),
    ];
    await there.claim(attemptAt(NOW));
    const file = join(path, "state/report", `${NOW}.json`);
    const claim = JSON.parse(await readFile(file, "utf8"));
    await writeFile(
      file,
      JSON.stringify({ ...claim, timeoutMs: 3_600_000, owner: { ...claim.owner, host: "elsewhere" } }),
    );
    expect(await here.lost(NOW + 2 * 3_600_000)).toEqual([]);
    expect(await here.lost(NOW + 2 * 3_600_000 + 1)).toHaveLength(1);
    const { timeoutMs: _, ...unlimited } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify(unlimited));
    expect(await here.lost(NOW + 25 * 3_600_000)).toEqual([]);
    expect(await here.lost(NOW + 25 * 3_600_000 + 1)).toHaveLength(1);
  });

  it("closes a claim that a power failure cut, after a day, and runs it no more", async () => {
    const { path } = await openJobsFolder(await projectWith({}));
    const state = createFolderState({ folder: path, dayOf });
    await state.claim(attemptAt(NOW));
    const file = join(path, "state/report", `${NOW}.json`);
    await writeFile(file, "");
    await utimes(file, NOW / 1_000, NOW / 1_000);
    expect(await state.lost(NOW + 3_600_000)).toEqual([]);
    expect((await state.history("report")).open.size).toBe(1);
    expect(await state.lost(NOW + 25 * 3_600_000)).toEqual([]);
    expect((await state.history("report")).open.size).toBe(0);
    expect(await state.claim(attemptAt(NOW))).toBeUndefined();
  });

  it("keeps 64 claims of a task and a thousand records, the newest", async () => {
    const { path } = await openJobsFolder(await projectWith({}));
    const state = createFolderState({ folder: path, dayOf });
    for (let index = 0; index < 70; index += 1) {
      const claim = await state.claim(attemptAt(NOW + index));
      if (claim !== undefined) await state.finish(claim, { outcome: "completed", endedAt: NOW });
    }
    await state.prune(new Set(["report"]), NOW);
    expect(await claimNames(join(path, "state/report"))).toHaveLength(64);
    expect(
      (await readdir(join(path, "state/report"))).filter((name) => name.endsWith(".end.json")),
    ).toHaveLength(64);
    expect((await readdir(join(path, "runs"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("forgets a task a month after its file went away", async () => {
    const { path } = await openJobsFolder(await projectWith({}));
    const state = createFolderState({ folder: path, dayOf });
    await state.claim(attemptAt(NOW));
    await state.prune(new Set(), NOW + 29 * 86_400_000);
    expect(await readdir(join(path, "state"))).toContain("report");
    await state.prune(new Set(["report"]), NOW + 31 * 86_400_000);
    expect(await readdir(join(path, "state"))).toContain("report");
    await state.prune(new Set(), NOW + 31 * 86_400_000);
    expect(await readdir(join(path, "state"))).not.toContain("report");
  });

  it("forgets a task that was seen and never ran", async () => {
    const { path } = await openJobsFolder(await projectWith({}));
    const state = createFolderState({ folder: path, dayOf });
    await state.anchor("report", "every 30m", NOW);
    await state.prune(new Set(), Date.now() + 29 * 86_400_000);
    expect(await readdir(join(path, "state"))).toEqual(["report"]);
    await state.prune(new Set(), Date.now() + 31 * 86_400_000);
    expect(await readdir(join(path, "state"))).toEqual([]);
  });

  it("gives ids a folder of their own, whatever they are", async () => {
    const { path } = await openJobsFolder(await projectWith({}));
    const state = createFolderState({ folder: path, dayOf });
    const ids = ["a b", "a.b", "x".repeat(120), "task-abc"];
    for (const taskId of ids) expect(await state.claim(attemptAt(NOW, { taskId }))).toBeDefined();
    expect((await readdir(join(path, "state"))).filter((name) => !name.startsWith("."))).toHaveLength(
      ids.length,
    );
  });
});
