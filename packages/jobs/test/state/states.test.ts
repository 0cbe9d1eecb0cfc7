import { spawn } from "node:child_process";
import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJobsFolder } from "../../src/folder/jobs-folder.js";
import type { AttemptEnd } from "../../src/state/attempt.js";
import { createFolderState } from "../../src/state/folder-state.js";
import type { JobState } from "../../src/state/job-state.js";
import { createMemoryState, SharedMemory } from "../support/memory-state.js";
import { projectWith } from "../support/temporary-folder.js";
import { attemptAt, jobStateCases, type StateSubject } from "./job-state-conformance.js";

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

describe.each([
  { name: "in a folder", subject: folderSubject() },
  { name: "in memory", subject: memorySubject() },
])("job state $name", ({ subject }) => {
  it.each(jobStateCases)("$name", ({ check }) => check(subject));
});

describe("the suite of job states", () => {
  it.each<{ why: string; damage: (state: JobState) => Partial<JobState>; fails: readonly string[] }>([
    {
      why: "gives an occurrence to all",
      damage: (state) => ({
        claim: async (attempt) => (await state.claim(attempt)) ?? { attempt, number: "2027-01-05 999" },
      }),
      fails: [
        "gives an occurrence to one of many schedulers",
        "keeps a claim taken when its attempt has ended",
        "loses what a dead scheduler had, and only that",
        "forgets nothing that still decides",
      ],
    },
    {
      why: "gives one number to all",
      damage: (state) => ({
        claim: async (attempt) => {
          const claim = await state.claim(attempt);
          return claim && { ...claim, number: "2027-01-05 001" };
        },
      }),
      fails: ["numbers attempts so that no two are alike"],
    },
    {
      why: "takes the last anchor",
      damage: () => ({ anchor: async (_task, _schedule, now) => now }),
      fails: ["keeps the first anchor of a schedule for everybody"],
    },
    {
      why: "calls a single run the newest occurrence",
      damage: (state) => ({
        history: async (taskId) => {
          const history = await state.history(taskId);
          return {
            ...history,
            newest: Math.max(...[...history.slots].map((slot) => Number(slot.split("-")[0]))),
          };
        },
      }),
      fails: ["tells the newest occurrence, what was claimed and what has no end"],
    },
    {
      why: "thinks the living dead",
      damage: (state) => ({ lost: async () => (await state.list(9)).filter(({ end }) => end === undefined) }),
      fails: ["loses what a dead scheduler had, and only that"],
    },
    {
      why: "lists the oldest first",
      damage: (state) => ({ list: async (limit) => (await state.list(99)).toReversed().slice(0, limit) }),
      fails: ["lists the newest records first, with the ends they have"],
    },
    {
      why: "lets anybody have the last word",
      damage: (state) => ({
        finish: async (claim, end) => {
          await state.finish(claim, end);
          ends.set(claim.attempt.occurrence, end);
        },
        list: async (limit) =>
          (await state.list(limit)).map((record) => {
            const end = ends.get(record.attempt.occurrence);
            return end === undefined ? record : { ...record, end };
          }),
      }),
      fails: ["takes the owner's word over that of whoever thought it dead"],
    },
    {
      why: "forgets the newest claim",
      damage: (state) => ({
        prune: async () => void forgetful.add(state),
        history: async (taskId) =>
          forgetful.has(state) ? { slots: new Set(), open: new Set() } : state.history(taskId),
      }),
      fails: ["forgets nothing that still decides"],
    },
  ])("fails a state that $why", async ({ damage, fails }) => {
    const sound = memorySubject();
    const whole = new Map<JobState, JobState>();
    const broken: StateSubject = {
      ...sound,
      open: async () => {
        const state = await sound.open();
        const worse = { ...state, ...damage(state) };
        whole.set(worse, state);
        return worse;
      },
      kill: async (state) => sound.kill(whole.get(state) ?? state),
    };
    const failed: string[] = [];
    for (const { name, check } of jobStateCases) {
      ends.clear();
      await check(broken).catch((error: unknown) => {
        if (!(error instanceof Error && error.name === "AssertionError")) throw error;
        failed.push(name);
      });
    }
    expect(failed).toEqual(fails);
  });
});

const ends = new Map<string, AttemptEnd>();
const forgetful = new Set<JobState>();

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

  it("writes over no archive when its records were deleted", async () => {
    const { path, runs, completed } = await openJobsFolder(await projectWith({}));
    const state = createFolderState({ folder: path, dayOf });
    await writeFile(join(completed, "2027-01-05 007 report.md"), "Old.\n");
    expect((await state.claim(attemptAt(NOW)))?.number).toBe("2027-01-05 008");
    await rm(join(runs, "2027-01-05 008.json"));
    expect((await state.claim(attemptAt(NOW + 1)))?.number).toBe("2027-01-05 008");
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
