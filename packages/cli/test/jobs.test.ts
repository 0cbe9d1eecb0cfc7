import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ashlar, createProject, type Finished, finish, type Project, start } from "./command.js";

let project: Project;
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const jobs = (...args: readonly string[]): Promise<Finished> => ashlar(["jobs", ...args], { project });
const names = async (part: string): Promise<readonly string[]> =>
  (await readdir(join(project.folder, "ai-jobs", part))).sort();

describe("ashlar jobs", () => {
  it("runs a line of prose, archives it, and shows it", async () => {
    expect(await jobs("init")).toMatchObject({ code: 0, stderr: "" });
    await project.write("ai-jobs/tasks/hello.md", "Greet the stone bridge.\n");
    const ran = await jobs("run", "--model", "test/echo");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^\d{4}-\d{2}-\d{2} 001 {2}completed {2}hello\.md {2}job-[0-9a-f-]{36}\n$/u);
    expect(await names("tasks")).toEqual([]);
    expect(await names("completed")).toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2} 001 hello\.md$/u)]);

    const status = await jobs("status", "--json");
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({
      enabled: true,
      tasks: [],
      runs: [{ attempt: { filename: "hello.md" }, end: { outcome: "completed", exitCode: 0 } }],
    });
    const sessions = await ashlar(["sessions", "list", "--json"], { project });
    const session = JSON.parse(sessions.stdout);
    expect(ran.stdout).toContain(session.id);
    const shown = await ashlar(["sessions", "show", session.id], { project });
    expect(shown.stdout).toContain("Greet the stone bridge.");
    expect(await jobs("run", "--model", "test/echo")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "ashlar: nothing is due\n",
    });
  });

  it("without a model says the remedy and keeps the task", async () => {
    await jobs("init");
    await project.write("ai-jobs/tasks/hello.md", "Greet the stone bridge.\n");
    const ran = await jobs("run");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("ai-jobs/tasks/hello.md: no model was named");
    expect(ran.stderr).toContain("ashlar login");
    expect(await names("tasks")).toEqual(["hello.md"]);
    expect(await names("completed")).toEqual([]);
  });

  it("runs its calls in the sandbox, where tasks cannot be written", async () => {
    await jobs("init");
    const script = [
      [
        {
          toolCall: {
            name: "bash",
            arguments: { command: "echo made > made.txt; echo bad > ai-jobs/tasks/more.md" },
          },
        },
      ],
      [{ text: "done" }],
    ];
    await project.write("ai-jobs/tasks/write.md", "Write two files.\n");
    const ran = await jobs(
      "run",
      "--model",
      "test/script",
      "--set",
      `providers.test.script=${JSON.stringify(script)}`,
    );
    if (!existsSync("/usr/bin/bwrap")) return expect(ran.code).toBe(7);
    expect(ran.code).toBe(0);
    expect(await readFile(join(project.folder, "made.txt"), "utf8")).toBe("made\n");
    expect(await names("tasks")).toEqual([]);
  });

  it("ends with the code of the first job that failed, and tells of each", async () => {
    await jobs("init");
    const script = [[{ error: { message: "no such thing", kind: "provider", status: 404 } }]];
    await project.write("ai-jobs/tasks/a.md", "---\nmodel: test/echo\n---\nGood.\n");
    await project.write("ai-jobs/tasks/b.md", "---\nmodel: test/script\n---\nBad.\n");
    await project.write("ai-jobs/tasks/c.md", "---\nmodle: test/echo\n---\nWrong.\n");
    const ran = await jobs("run", "--set", `providers.test.script=${JSON.stringify(script)}`);
    expect(ran.code).toBe(4);
    expect(ran.stdout.split("\n").map((line) => line.split("  ").slice(1, 3).join(" "))).toEqual([
      "completed a.md",
      "failed b.md",
      "",
    ]);
    expect(ran.stderr).toContain('ai-jobs/tasks/c.md: there is no key "modle"; did you mean "model"?');
    expect((await jobs("status")).code).toBe(1);
    expect(await readFile(join(project.folder, "ai-jobs/last-run.json"), "utf8")).toContain('"exitCode": 4');
  });

  it("runs with the layer that is whole when another does not parse, says so, and writes it over with nothing", async () => {
    await jobs("init");
    await project.write("ai-jobs/tasks/hello.md", "Greet the stone bridge.\n");
    await project.write("ai-settings.json", '{"model":"m1",,}');
    const user = join(project.home, "config");
    await mkdir(user, { recursive: true });
    await writeFile(join(user, "settings.json"), '\uFEFF{\n  // mine\n  "model": "test/echo",\n}\n');
    const ran = await jobs("run");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("completed  hello.md") });
    expect(ran.stderr).toContain("ai-settings.json");
    expect(await readFile(join(project.folder, "ai-settings.json"), "utf8")).toBe('{"model":"m1",,}');
  });

  it("prints the record of the look as JSON", async () => {
    await jobs("init");
    await project.write("ai-jobs/tasks/a.md", "Good.\n");
    const ran = await jobs("run", "--model", "test/echo", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({
      version: 1,
      due: 1,
      outcomes: [{ end: { outcome: "completed" } }],
    });
  });

  it("writes, checks and disables tasks", async () => {
    await jobs("init");
    expect(
      await jobs("new", "report", "Write", "the", "report.", "--at", "07:00,19:30", "--days", "weekdays"),
    ).toMatchObject({
      code: 0,
      stdout: "wrote ai-jobs/tasks/report.md\n",
    });
    expect(await readFile(join(project.folder, "ai-jobs/tasks/report.md"), "utf8")).toContain(
      "Write the report.",
    );
    expect(await jobs("new", "report", "Again.")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already"),
    });
    expect(await jobs("new", "bad", "x", "--every", "soon")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("30m"),
    });
    const piped = await ashlar(["jobs", "new", "piped.md"], { project, input: "From\nstdin.\n" });
    expect(piped.code).toBe(0);
    expect(await jobs("validate")).toMatchObject({ code: 0, stdout: "ok  piped.md\nok  report.md\n" });
    await project.write("ai-jobs/tasks/wrong.md", "---\nschedule: daily\n---\nNo.\n");
    const checked = await jobs("validate", "--json");
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({ rejected: [{ filename: "wrong.md" }] });
    expect((await jobs("status")).stdout).toContain("report.md: ");
    expect(await jobs("disable")).toMatchObject({ code: 0 });
    expect(await jobs("status")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ashlar jobs init"),
    });
    expect(await jobs("run", "--model", "test/echo")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("disabled"),
    });
    expect(await jobs("init")).toMatchObject({ code: 0, stdout: "enabled ai-jobs again\n" });
    expect((await jobs("status")).stdout).toContain("report.md: ");
  });

  it("names a link that stands where a folder has to be", async () => {
    await jobs("init");
    await rm(join(project.folder, "ai-jobs/completed"), { recursive: true });
    await symlink(project.home, join(project.folder, "ai-jobs/completed"));
    const ran = await jobs("run", "--model", "test/echo");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("ai-jobs/completed is a link") });
  });

  it("offers job-schedule to a model", async () => {
    await jobs("init");
    const called = await ashlar(
      ["tool", "job-schedule", '{"action":"create","filename":"a.md","prompt":"Do it."}'],
      { project },
    );
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining("The task is written") });
    expect(await names("tasks")).toEqual(["a.md"]);
  });
});

describe("ashlar jobs daemon", () => {
  it("runs every minute of its clock, prints a line for each run, and ends on a signal", async () => {
    await jobs("init");
    await project.write("ai-jobs/tasks/m.md", "---\nschedule: every 1m\nmodel: test/echo\n---\nTick.\n");
    const clock = join(project.home, "..", "clock");
    await writeFile(clock, "2027-01-05T12:00:00Z");
    const daemon = start(["jobs", "daemon", "--clock", clock], { project });
    const ended = finish(daemon);
    let output = "";
    daemon.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const lines = (): number => output.split("\n").length - 1;
    await expect.poll(lines, { timeout: 20_000 }).toBe(1);
    await writeFile(clock, "2027-01-05T12:01:00Z");
    await expect.poll(lines, { timeout: 20_000 }).toBe(2);
    daemon.kill("SIGTERM");
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([130, ""]);
    expect(stdout).toMatch(
      /^2027-01-05 001 {2}completed {2}m\.md .*\n2027-01-05 002 {2}completed {2}m\.md .*\n$/u,
    );
  });

  it("cancels the running job on a signal", async () => {
    await jobs("init");
    await project.write("ai-jobs/tasks/slow.md", "Take your time.\n");
    const script = JSON.stringify([[{ delay: 30_000 }, { text: "late" }]]);
    const args = [
      "jobs",
      "daemon",
      "--model",
      "test/script",
      "--set",
      `providers.test.script=${script}`,
      "--json",
    ];
    const daemon = start(args, { project });
    const ended = finish(daemon);
    await expect.poll(() => names("completed"), { timeout: 20_000 }).toHaveLength(1);
    daemon.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      attempt: { filename: "slow.md" },
      end: { outcome: "cancelled", exitCode: 130 },
    });
  });
});
