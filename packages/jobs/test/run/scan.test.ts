import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EnvError } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import { disable } from "../../src/jobs.js";
import { createMemoryState, SharedMemory } from "../support/memory-state.js";
import { outcomesOf, schedulerOf } from "../support/scans.js";
import { scriptedRunner } from "../support/scripted-runner.js";
import { namesIn, projectWith, writeTasks } from "../support/temporary-folder.js";

const daily = (time: string): string => `---\nschedule: { at: "${time}", timezone: UTC }\n---\nDo it.\n`;
const weekly = (time: string): string =>
  `---\nschedule: { at: "${time}", days: [mon], timezone: UTC }\n---\nDo it.\n`;

describe("a look at the tasks", () => {
  it("runs a prompt once, archives it, and tells of it", async () => {
    const root = await projectWith({ "hello.md": "Say hello.\n" });
    const scheduler = await schedulerOf(root);
    const runner = scriptedRunner();
    const scan = await scheduler.scan("2027-01-05T12:00Z", runner);
    expect(outcomesOf(scan)).toEqual(["hello.md completed"]);
    expect(await namesIn(root, "tasks")).toEqual([]);
    expect(await namesIn(root, "completed")).toEqual(["2027-01-05 001 hello.md"]);
    expect(await readFile(join(root, "ai-jobs/completed/2027-01-05 001 hello.md"), "utf8")).toBe(
      "Say hello.\n",
    );
    const [record] = await scheduler.state.list(5);
    expect(record).toMatchObject({
      number: "2027-01-05 001",
      attempt: { taskId: "hello.md", once: true, session: expect.stringMatching(/^job-[0-9a-f-]{36}$/u) },
      end: { outcome: "completed", archive: "completed/2027-01-05 001 hello.md", exitCode: 0 },
    });
    expect(outcomesOf(await scheduler.scan("2027-01-05T12:01Z", runner))).toEqual([]);
  });

  it("keeps a copy of the prompt that each run of a recurring task had", async () => {
    const root = await projectWith({ "r.md": daily("07:00") });
    const scheduler = await schedulerOf(root);
    await scheduler.scan("2027-01-05T08:00Z", scriptedRunner());
    await writeTasks(root, { "r.md": daily("07:00").replace("Do it.", "Do more.") });
    await scheduler.scan("2027-01-06T08:00Z", scriptedRunner());
    const [first, second] = (await namesIn(root, "runs")).filter((name) => name.endsWith(".snapshot"));
    expect([first, second]).toEqual(["2027-01-05 001 r.md.snapshot", "2027-01-06 001 r.md.snapshot"]);
    expect(await readFile(join(root, "ai-jobs/runs", second ?? ""), "utf8")).toContain("Do more.");
    expect(await namesIn(root, "tasks")).toEqual(["r.md"]);
  });

  it("wakes up after three days: once each, one at a time, nothing twice after a new start", async () => {
    const root = await projectWith({
      "a.md": daily("07:00"),
      "b.md": daily("07:10"),
      "c.md": weekly("07:20"),
      "d.md": weekly("07:30"),
      "e.md": weekly("07:40"),
    });
    const scheduler = await schedulerOf(root);
    // All of them ran on time until Friday.
    for (const now of [
      "2027-01-04T08:00Z",
      "2027-01-05T08:00Z",
      "2027-01-06T08:00Z",
      "2027-01-07T08:00Z",
      "2027-01-08T08:00Z",
    ])
      await scheduler.scan(now, scriptedRunner());
    const monday = "2027-01-11T09:00Z";
    const runner = scriptedRunner({ problems: { "d.md": 'there is no endpoint "nowhere"' } });
    const scan = await scheduler.scan(monday, runner);
    expect(outcomesOf(scan)).toEqual([
      "a.md completed",
      "b.md completed",
      "c.md completed",
      "e.md completed",
    ]);
    expect(runner.most).toBe(1);
    expect(scan.errors).toEqual([{ filename: "d.md", message: 'there is no endpoint "nowhere"' }]);
    expect(await readFile(join(root, "ai-jobs/errors/2027-01-11.md"), "utf8")).toContain(
      "tasks/d.md: there is no endpoint",
    );
    expect((await scheduler.state.history("d.md")).newest).toBe(Date.parse("2027-01-04T07:30Z"));

    const again = await schedulerOf(root);
    const after = scriptedRunner({ problems: { "d.md": 'there is no endpoint "nowhere"' } });
    expect(outcomesOf(await again.scan(monday, after))).toEqual([]);
    expect(await readFile(join(root, "ai-jobs/errors/2027-01-11.md"), "utf8")).toMatch(/^[^\n]*\n$/u);
    // Once its model is there, what was due still runs, and once.
    expect(outcomesOf(await again.scan("2027-01-11T10:00Z", scriptedRunner()))).toEqual(["d.md completed"]);
  });

  it("does not begin a task again that still runs, and coalesces what it missed meanwhile", async () => {
    const root = await projectWith({ "r.md": "---\nschedule: every 10m\n---\nDo it.\n" });
    const [slow, other] = [await schedulerOf(root), await schedulerOf(root)];
    let finish = (): void => undefined;
    const runner = scriptedRunner({
      work: () => new Promise((resolve) => (finish = () => resolve({ outcome: "completed", exitCode: 0 }))),
    });
    const first = slow.scan("2027-01-05T12:00Z", runner);
    await expect.poll(() => runner.began).toHaveLength(1);
    const meanwhile = await other.scan("2027-01-05T12:10Z", scriptedRunner());
    expect([meanwhile.running, outcomesOf(meanwhile)]).toEqual([1, []]);
    expect(outcomesOf(await other.scan("2027-01-05T12:25Z", scriptedRunner()))).toEqual([]);
    finish();
    expect(outcomesOf(await first)).toEqual(["r.md completed"]);
    const scan = await other.scan("2027-01-05T12:26Z", scriptedRunner());
    expect(scan.outcomes.map(({ attempt }) => new Date(attempt.scheduledAt).toISOString())).toEqual([
      "2027-01-05T12:20:00.000Z",
    ]);
    expect(scan.next).toBe(Date.parse("2027-01-05T12:30Z"));
  });

  it("lets one bad file cost only itself, and says each problem once a day", async () => {
    const root = await projectWith({
      "good.md": "Do it.\n",
      "typo.md": "---\nshedule: once\n---\nDo it.\n",
      "one.md": "---\nid: same\n---\nDo it.\n",
      "two.md": "---\nid: Same\n---\nDo it.\n",
      "notes.txt": "not a task",
      ".hidden.md": "Do it.\n",
      "latin.md": "Do it.\n",
    });
    const tasks = join(root, "ai-jobs/tasks");
    await writeFile(join(tasks, "latin.md"), Buffer.from([0x44, 0xf6, 0x0a]));
    await writeFile(join(tasks, "huge.md"), "x".repeat(256 * 1024 + 1));
    await symlink(join(root, "outside.md"), join(tasks, "link.md"));
    await mkdir(join(tasks, "folder.md"));
    await new Promise((resolve) => spawn("mkfifo", [join(tasks, "fifo.md")]).once("close", resolve));
    const scheduler = await schedulerOf(root);
    const scan = await scheduler.scan("2027-01-05T12:00Z", scriptedRunner());
    expect(outcomesOf(scan)).toEqual(["good.md completed"]);
    expect(Object.fromEntries(scan.errors.map(({ filename, message }) => [filename, message]))).toEqual({
      "typo.md": expect.stringContaining('did you mean "schedule"?'),
      "one.md": expect.stringContaining("also that of two.md"),
      "two.md": expect.stringContaining("also that of one.md"),
      "notes.txt": expect.stringContaining("ends in .md"),
      "latin.md": expect.stringContaining("UTF-8"),
      "huge.md": expect.stringContaining("256 KiB"),
      "link.md": expect.stringContaining("is a link"),
      "folder.md": expect.stringContaining("no plain file"),
      "fifo.md": expect.stringContaining("no plain file"),
    });
    await scheduler.scan("2027-01-05T13:00Z", scriptedRunner());
    await (await schedulerOf(root)).scan("2027-01-05T14:00Z", scriptedRunner());
    const log = await readFile(join(root, "ai-jobs/errors/2027-01-05.md"), "utf8");
    expect(log.trimEnd().split("\n")).toHaveLength(9);
    await scheduler.scan("2027-01-06T12:00Z", scriptedRunner());
    expect(await namesIn(root, "errors")).toEqual(["2027-01-05.md", "2027-01-06.md"]);
  });

  it.skipIf(process.getuid?.() === 0)("says of a file that it may not be read", async () => {
    const root = await projectWith({ "closed.md": "Do it.\n" });
    await chmod(join(root, "ai-jobs/tasks/closed.md"), 0);
    const scan = await (await schedulerOf(root)).scan("2027-01-05T12:00Z", scriptedRunner());
    expect(scan.errors).toEqual([{ filename: "closed.md", message: expect.stringContaining("EACCES") }]);
  });

  it("runs a file again that comes back, whatever its content and times", async () => {
    const root = await projectWith({ "hello.md": "Say hello.\n" });
    const scheduler = await schedulerOf(root);
    await scheduler.scan("2027-01-05T12:00Z", scriptedRunner());
    await rename(
      join(root, "ai-jobs/completed/2027-01-05 001 hello.md"),
      join(root, "ai-jobs/tasks/hello.md"),
    );
    expect(outcomesOf(await scheduler.scan("2027-01-05T12:01Z", scriptedRunner()))).toEqual([
      "hello.md completed",
    ]);
    expect(await namesIn(root, "completed")).toEqual(["2027-01-05 002 hello.md"]);
  });

  it("does not run what was changed in the moment in which it was to run; the new text has its turn", async () => {
    const root = await projectWith({ "hello.md": "Say hello.\n" });
    const scheduler = await schedulerOf(root);
    const runner = scriptedRunner();
    const scan = await scheduler.scan("2027-01-05T12:00Z", {
      ...runner,
      problem: async () => {
        await writeTasks(root, { "hello.md": "Say goodbye.\n" });
        return undefined;
      },
    });
    expect([runner.began, outcomesOf(scan)]).toEqual([[], []]);
    expect(await namesIn(root, "tasks")).toEqual(["hello.md"]);
    const next = scriptedRunner({ work: async ({ prompt }) => ({ outcome: "completed", error: prompt }) });
    const after = await scheduler.scan("2027-01-05T12:01Z", next);
    expect(after.outcomes[0]?.end?.error).toBe("Say goodbye.");
  });

  it.each([
    { why: "edited", change: (path: string) => writeFile(path, daily("07:00").replace("Do it.", "Other.")) },
    { why: "renamed", change: (path: string) => rename(path, path.replace("r.md", "s.md")) },
    { why: "deleted", change: (path: string) => rm(path) },
  ])("ends a job in peace whose file is $why while it runs", async ({ change }) => {
    const root = await projectWith({ "r.md": daily("07:00") });
    const scheduler = await schedulerOf(root);
    const runner = scriptedRunner({
      work: async () => {
        await change(join(root, "ai-jobs/tasks/r.md"));
        return { outcome: "completed", exitCode: 0 };
      },
    });
    const scan = await scheduler.scan("2027-01-05T08:00Z", runner);
    expect(outcomesOf(scan)).toEqual(["r.md completed"]);
    expect(scan.errors).toEqual([]);
    expect((await scheduler.state.history("r.md")).open.size).toBe(0);
  });

  it("looks again at a task that waited for another: its file, and what is the newest by then", async () => {
    const hourly = "---\nschedule: { cron: '0 * * * *', timezone: UTC }\n---\nDo it.\n";
    const root = await projectWith({
      "a.md": daily("07:00"),
      "b.md": hourly,
      "c.md": hourly,
      "d.md": hourly,
      "e.md": hourly,
    });
    const scheduler = await schedulerOf(root);
    await scheduler.scan("2027-01-05T06:30Z", scriptedRunner());
    let now = "2027-01-05T07:10Z";
    const runner = scriptedRunner({
      work: async ({ filename, prompt }) => {
        if (filename === "a.md") {
          now = "2027-01-05T10:10Z";
          await writeTasks(root, {
            "b.md": hourly.replace("Do it.", "Do more."),
            "c.md": hourly.replace("---\n", "---\nenabled: false\n"),
            "d.md": hourly.replace("cron", "corn"),
          });
          await rm(join(root, "ai-jobs/tasks/e.md"));
        }
        return { outcome: "completed", error: prompt };
      },
    });
    const scan = await scheduler.scan(() => now, runner);
    expect(runner.began).toEqual(["a.md", "b.md"]);
    expect(scan.outcomes[1]).toMatchObject({
      attempt: { scheduledAt: Date.parse("2027-01-05T10:00Z") },
      end: { error: "Do more." },
    });
    expect(scan.errors).toEqual([
      { filename: "d.md", message: expect.stringContaining('did you mean "cron"?') },
    ]);
    expect(outcomesOf(await scheduler.scan("2027-01-05T10:11Z", scriptedRunner()))).toEqual([]);
  });

  it("leaves a new file alone that takes the place of the one that runs", async () => {
    const root = await projectWith({ "hello.md": "Say hello.\n" });
    const scheduler = await schedulerOf(root);
    const runner = scriptedRunner({
      work: async () => {
        await writeTasks(root, { "hello.md": "Say hello again.\n" });
        return { outcome: "completed", exitCode: 0 };
      },
    });
    await scheduler.scan("2027-01-05T12:00Z", runner);
    expect(await namesIn(root, "tasks")).toEqual(["hello.md"]);
    await scheduler.scan("2027-01-05T12:01Z", scriptedRunner());
    expect(await namesIn(root, "completed")).toEqual(["2027-01-05 001 hello.md", "2027-01-05 002 hello.md"]);
  });

  it("begins no further job once it is cancelled", async () => {
    const root = await projectWith({ "a.md": "One.\n", "b.md": "Two.\n" });
    const cancel = new AbortController();
    const runner = scriptedRunner({
      work: async () => {
        cancel.abort();
        return { outcome: "cancelled", error: "cancelled", exitCode: 130 };
      },
    });
    const scan = await (await schedulerOf(root)).scan("2027-01-05T12:00Z", runner, { signal: cancel.signal });
    expect(outcomesOf(scan)).toEqual(["a.md cancelled"]);
    expect(await namesIn(root, "tasks")).toEqual(["b.md"]);
  });

  it("says that a clock was set back, and runs nothing twice because of it", async () => {
    const root = await projectWith({ "r.md": "---\nschedule: every 1h\n---\nDo it.\n" });
    const scheduler = await schedulerOf(root);
    await scheduler.scan("2028-01-05T12:00Z", scriptedRunner());
    const back = await scheduler.scan("2027-01-05T12:00Z", scriptedRunner());
    expect(outcomesOf(back)).toEqual([]);
    expect(back.errors).toEqual([
      {
        filename: "r.md",
        message: expect.stringContaining("2028-01-05T12:00:00.000Z, which is in the future"),
      },
    ]);
    expect(outcomesOf(await scheduler.scan("2028-01-05T13:00Z", scriptedRunner()))).toEqual([
      "r.md completed",
    ]);
  });

  it("takes up what another scheduler saw first while this one was looking", async () => {
    const root = await projectWith({ "r.md": "---\nschedule: every 1h\n---\nDo it.\n" });
    const [one, other] = [await schedulerOf(root), await schedulerOf(root)];
    let now = Date.parse("2027-01-05T12:00Z");
    await other.state.anchor("r.md", "every 1h", now + 2);
    const scan = await one.scan(() => new Date(now++).toISOString(), scriptedRunner());
    expect(outcomesOf(scan)).toEqual(["r.md completed"]);
  });

  it("needs no file for its state", async () => {
    const root = await projectWith({ "hello.md": "Say hello.\n", "r.md": daily("07:00") });
    const memory = new SharedMemory();
    const [one, other] = [
      await schedulerOf(root, createMemoryState(memory)),
      await schedulerOf(root, createMemoryState(memory)),
    ];
    const scans = await Promise.all(
      [one, other].map((each) => each.scan("2027-01-05T12:00Z", scriptedRunner())),
    );
    expect(scans.flatMap(outcomesOf).sort()).toEqual(["hello.md completed", "r.md completed"]);
    expect(await readdir(join(root, "ai-jobs/state"))).toEqual([]);
  });

  it("takes settings of which nothing can be made as a problem, and keeps the tasks", async () => {
    const root = await projectWith({ "a.md": "One.\n" });
    const scheduler = await schedulerOf(root);
    const scan = await scheduler.scan("2027-01-05T12:00Z", scriptedRunner(), {
      withRunner: () =>
        Promise.reject(new EnvError("settings", "packages: there is no ashlar-provider-x", {})),
    });
    expect(scan.errors).toEqual([{ message: "packages: there is no ashlar-provider-x" }]);
    expect(await namesIn(root, "tasks")).toEqual(["a.md"]);
  });

  it("ends with kind storage when the folder is taken away under it", async () => {
    const root = await projectWith({ "a.md": "One.\n", "b.md": "Two.\n" });
    const runner = scriptedRunner({
      work: async () => {
        await disable(root);
        return { outcome: "completed", exitCode: 0 };
      },
    });
    const scan = (await schedulerOf(root)).scan("2027-01-05T12:00Z", runner);
    await expect(scan).rejects.toMatchObject({ kind: "storage", details: { code: "ENOENT" } });
    expect(await readdir(root)).toEqual(["ai-jobs-disabled"]);
  });
});

describe("recovery", () => {
  it.each([
    {
      why: "before its file moved",
      break: async () => undefined,
      outcome: "interrupted",
      archived: ["2027-01-05 001 hello.md"],
    },
    {
      why: "after its file moved",
      break: async (root: string) =>
        rename(join(root, "ai-jobs/tasks/hello.md"), join(root, "ai-jobs/completed/2027-01-05 001 hello.md")),
      outcome: "interrupted",
      archived: ["2027-01-05 001 hello.md"],
    },
    {
      why: "and its file is nowhere",
      break: async (root: string) => rm(join(root, "ai-jobs/tasks/hello.md")),
      outcome: "archive-unconfirmed",
      archived: [],
    },
  ])(
    "closes a job whose scheduler died $why, and never runs it again",
    async ({ break: damage, outcome, archived }) => {
      const root = await projectWith({ "hello.md": "Say hello.\n" });
      const memory = new SharedMemory();
      const owner = {};
      const dying = createMemoryState(memory, owner);
      // Claims, and dies before anything else.
      const stopped = await schedulerOf(root, {
        ...dying,
        claim: async (attempt) => {
          await dying.claim(attempt);
          return undefined;
        },
      });
      await stopped.scan("2027-01-05T12:00Z", scriptedRunner());
      await damage(root);
      memory.dead.add(owner);
      const scan = await (await schedulerOf(root, createMemoryState(memory))).scan(
        "2027-01-05T12:01Z",
        scriptedRunner(),
      );
      expect(outcomesOf(scan)).toEqual([`hello.md ${outcome}`]);
      expect(await namesIn(root, "completed")).toEqual(archived);
      expect(await namesIn(root, "tasks")).toEqual([]);
      expect(scan.warnings).toEqual([
        { filename: "hello.md", message: expect.stringContaining("not run again") },
      ]);
    },
  );
});
