import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFileClock } from "../../src/daemon/clock.js";
import type { ScanRecord } from "../../src/folder/scan-records.js";
import { daemonRun, disable } from "../../src/jobs.js";
import type { DaemonEnd } from "../../src/jobs-options.js";
import type { RunRecord } from "../../src/state/attempt.js";
import { scriptedEnv } from "../support/scripted-env.js";
import { namesIn, projectWith, temporaryFolder, writeTasks } from "../support/temporary-folder.js";

interface Daemon {
  readonly ended: Promise<DaemonEnd>;
  readonly stop: () => void;
  /** `file outcome` of each run that has ended. */
  readonly runs: readonly string[];
  readonly began: readonly string[];
  readonly scans: readonly ScanRecord[];
}

async function startDaemon(
  root: string,
  { clock, delay = 0 }: { clock?: string; delay?: number } = {},
): Promise<Daemon> {
  const stopping = new AbortController();
  const [runs, began, scans]: [string[], string[], ScanRecord[]] = [[], [], []];
  const env = await scriptedEnv(root, { script: [[{ delay }, { text: "done" }]] });
  const ended = daemonRun(root, {
    model: "test/script",
    signal: stopping.signal,
    withEnv: (work) => work(env),
    onRun: ({ attempt, end }: RunRecord) => {
      if (end === undefined) began.push(attempt.filename);
      else runs.push(`${attempt.filename} ${end.outcome}`);
    },
    onScan: (scan) => scans.push(scan),
    ...(clock !== undefined && { clock: createFileClock(clock) }),
  });
  onTestFinished(() => stopping.abort());
  return { ended, stop: () => stopping.abort(), runs, began, scans };
}

async function clockFile(time: string): Promise<{ file: string; set: (time: string) => Promise<void> }> {
  const file = join(await temporaryFolder(), "clock");
  const set = (next: string): Promise<void> => writeFile(file, `${next}\n`);
  await set(time);
  return { file, set };
}

const WAIT = { timeout: 15_000 };

describe("the daemon", () => {
  it("runs a task every minute of its clock, each once", async () => {
    const root = await projectWith({ "m.md": "---\nschedule: every 1m\n---\nDo it.\n" });
    const clock = await clockFile("2027-01-05T12:00:00Z");
    const daemon = await startDaemon(root, { clock: clock.file });
    await expect.poll(() => daemon.runs, WAIT).toHaveLength(1);
    await clock.set("2027-01-05T12:00:59Z");
    await expect.poll(() => daemon.scans.at(-1)?.at, WAIT).toBe(Date.parse("2027-01-05T12:00:59Z"));
    expect(daemon.runs).toHaveLength(1);
    await clock.set("2027-01-05T12:01:00Z");
    await expect.poll(() => daemon.runs, WAIT).toHaveLength(2);
    // Five minutes that were missed are one run.
    await clock.set("2027-01-05T12:06:30Z");
    await expect.poll(() => daemon.runs, WAIT).toHaveLength(3);
    await clock.set("2027-01-05T12:00:30Z");
    await expect.poll(() => daemon.scans.at(-1)?.at, WAIT).toBe(Date.parse("2027-01-05T12:00:30Z"));
    expect(daemon.runs).toEqual(["m.md completed", "m.md completed", "m.md completed"]);
    daemon.stop();
    expect(await daemon.ended).toBe("cancelled");
  });

  it("wakes for a new file, and does not end the running job for it", async () => {
    const root = await projectWith({ "slow.md": "Take your time.\n" });
    const daemon = await startDaemon(root, { delay: 800 });
    await expect.poll(() => daemon.began, WAIT).toEqual(["slow.md"]);
    await writeTasks(root, { "new.md": "Do it.\n" });
    await expect.poll(() => daemon.runs, WAIT).toEqual(["slow.md completed", "new.md completed"]);
    daemon.stop();
    expect(await daemon.ended).toBe("cancelled");
  });

  it("cancels the running job when it is stopped", async () => {
    const root = await projectWith({ "slow.md": "Take your time.\n", "z.md": "Never.\n" });
    const daemon = await startDaemon(root, { delay: 20_000 });
    await expect.poll(() => daemon.began, WAIT).toEqual(["slow.md"]);
    daemon.stop();
    expect(await daemon.ended).toBe("cancelled");
    expect(daemon.runs).toEqual(["slow.md cancelled"]);
    expect(await namesIn(root, "tasks")).toEqual(["z.md"]);
  });

  it.each([
    { why: "disabled", take: async (root: string) => void (await disable(root)) },
    { why: "taken away", take: (root: string) => rm(join(root, "ai-jobs"), { recursive: true }) },
    { why: "moved", take: (root: string) => rename(join(root, "ai-jobs"), join(root, "jobs")) },
  ])("ends when the folder is $why", async ({ take }) => {
    const root = await projectWith({});
    const daemon = await startDaemon(root);
    await expect.poll(() => daemon.scans, WAIT).toHaveLength(1);
    await take(root);
    expect(await daemon.ended).toBe("disabled");
  });

  it("goes on when only a part of the folder went away under a job", async () => {
    const root = await projectWith({ "a.md": "One.\n" });
    const daemon = await startDaemon(root, { delay: 400 });
    await expect.poll(() => daemon.began, WAIT).toEqual(["a.md"]);
    await rm(join(root, "ai-jobs/runs"), { recursive: true });
    await expect.poll(() => existsSync(join(root, "ai-jobs/runs")), WAIT).toBe(true);
    await writeTasks(root, { "b.md": "Two.\n" });
    await expect.poll(() => daemon.runs, WAIT).toContain("b.md completed");
    daemon.stop();
    expect(await daemon.ended).toBe("cancelled");
  });

  it("tells at once that a project has no jobs", async () => {
    await expect(daemonRun(await temporaryFolder())).rejects.toMatchObject({ kind: "disabled" });
  });

  it("keeps its time while the clock file is being written", async () => {
    const clock = await clockFile("2027-01-05T12:00:00Z");
    const { now } = createFileClock(clock.file);
    expect(now()).toBe(Date.parse("2027-01-05T12:00:00Z"));
    await writeFile(clock.file, "");
    expect(now()).toBe(Date.parse("2027-01-05T12:00:00Z"));
    await rm(clock.file);
    expect(now()).toBe(Date.parse("2027-01-05T12:00:00Z"));
    await clock.set("2027-01-05T12:01:00+01:00");
    expect(now()).toBe(Date.parse("2027-01-05T11:01:00Z"));
  });

  it("says what is wrong with a clock file", async () => {
    const clock = await clockFile("noon");
    expect(() => createFileClock(clock.file).now()).toThrow(expect.objectContaining({ kind: "usage" }));
    expect(() => createFileClock(`${clock.file}.none`).now()).toThrow(
      expect.objectContaining({ kind: "usage" }),
    );
  });
});
