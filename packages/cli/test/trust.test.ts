import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { probe } from "@ashlar/sandbox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ashlar, createProject, type Finished, linesOf, type Project } from "./command.js";

const { confines, reason } = await probe();
const works = confines.files && confines.network && confines.processes;
if (!works) console.log(`not run: the sandbox tests of the command line, because ${reason}`);

let project: Project;
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const run = (args: readonly string[], environment: Record<string, string> = {}): Promise<Finished> =>
  ashlar(args, { project, environment });
const bash = (command: string, environment: Record<string, string> = {}): Promise<Finished> =>
  run(["tool", "bash", JSON.stringify({ command })], environment);

describe.runIf(works)("a call that changes something", () => {
  it("changes this folder, and one undo puts every file back", async () => {
    await project.write("notes.md", "one\n");
    expect((await run(["tool", "write", "path:notes.md", "content:two"])).code).toBe(0);
    expect(await readFile(join(project.folder, "notes.md"), "utf8")).toBe("two");
    expect((await run(["undo", "--list"])).stdout).toMatch(/write {2}notes\.md/);
    expect((await run(["undo"])).stdout).toContain("restored notes.md");
    expect(await readFile(join(project.folder, "notes.md"), "utf8")).toBe("one\n");
  });

  it("is not undone when somebody changed the file since", async () => {
    await run(["tool", "write", "path:notes.md", "content:two"]);
    await project.write("notes.md", "by hand\n");
    const { code, stderr } = await run(["undo"]);
    expect(code).toBe(1);
    expect(stderr).toContain("notes.md");
    expect(await readFile(join(project.folder, "notes.md"), "utf8")).toBe("by hand\n");
  });

  it("reaches nothing outside this folder and leaves no process behind", async () => {
    const marker = join(project.home, "outside");
    const { stdout } = await bash(`setsid sleep 987 & echo x > '${marker}'; touch inside; echo done`);
    expect(stdout).toContain("done");
    expect(existsSync(marker)).toBe(false);
    expect(existsSync(join(project.folder, "inside"))).toBe(true);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain("sleep 987");
  });

  it("sees no secret of the one who started it", async () => {
    await project.write("ai-auth-x.json", '{"x":{"auth":{"type":"api_key","token":"sk-in-the-project"}}}');
    const { stdout, stderr } = await bash(
      "env; cat ai-auth-x.json; cat /proc/1/environ /proc/self/environ | tr '\\0' '\\n'",
      {
        MY_API_KEY: "sk-in-the-environment",
      },
    );
    expect(stdout + stderr).not.toMatch(/sk-in-the/);
  });

  it("cannot change what decides who may do what", async () => {
    execFileSync("git", ["init", "-q"], { cwd: project.folder });
    await bash(
      "echo '#!/bin/sh' > .git/hooks/pre-commit; echo '{}' > ai-settings.json; mkdir -p ai-jobs/tasks",
    );
    expect(existsSync(join(project.folder, ".git/hooks/pre-commit"))).toBe(false);
    expect((await readdir(project.folder)).filter((name) => name.startsWith("ai-"))).toEqual([]);
  });
});

describe.runIf(works)("ashlar sandbox", () => {
  it("runs a command with only this folder writable, and ends as it does", async () => {
    const { code, stdout } = await run([
      "sandbox",
      "--",
      "bash",
      "-c",
      "touch here && echo made; touch /etc/there || exit 5",
    ]);
    expect(stdout).toBe("made\n");
    expect(code).toBe(5);
    expect(existsSync(join(project.folder, "here"))).toBe(true);
  });

  it("reads and changes nothing at all when asked for read-only", async () => {
    const { code, stdout, stderr } = await run([
      "sandbox",
      "--read-only",
      "--",
      "bash",
      "-c",
      "cat README.md; touch here || exit 6",
    ]);
    expect(stdout).toContain("Stone bridge");
    expect(stderr).toMatch(/touch: .*here/);
    expect(code).toBe(6);
    expect(existsSync(join(project.folder, "here"))).toBe(false);
  });
});

describe("without a sandbox", () => {
  const none = { ASHLAR_OS_SANDBOX: "none" };

  it("doctor says so, and what follows", async () => {
    const { stdout } = await run(["doctor"], none);
    expect(stdout).toMatch(/sandbox +none that confines files, network and processes, so agents only read\./);
    expect(stdout).toContain("ASHLAR_OS_SANDBOX");
  });

  it("a call that could change something is refused with that reason and exit 7, and nothing runs", async () => {
    const { code, stderr } = await bash("touch ran", none);
    expect(code).toBe(7);
    expect(stderr).toContain("no sandbox");
    expect(existsSync(join(project.folder, "ran"))).toBe(false);
  });

  it("a command is not run either", async () => {
    expect((await run(["sandbox", "--", "touch", "ran"], none)).code).toBe(7);
    expect(existsSync(join(project.folder, "ran"))).toBe(false);
  });

  it("an agent still reads, and its run says what was refused", async () => {
    const script = JSON.stringify([
      [{ toolCall: { name: "write", arguments: { path: "x", content: "y" } } }],
      [{ text: "done" }],
    ]);
    const { code, stdout } = await run(
      ["agent", "--model", "test/mine", "--set", `providers.test.script=${script}`, "go"],
      none,
    );
    expect(code).toBe(7);
    expect(linesOf(stdout).at(-1)).toMatchObject({ kind: "refused", refused: [{ tool: "write" }] });
    expect(existsSync(join(project.folder, "x"))).toBe(false);
  });
});

describe("ashlar tools2bash", () => {
  it("writes a command for each tool that asks nobody, and removes one whose tool is gone", async () => {
    const folder = join(project.home, "data/tools-bin");
    expect((await run(["tools2bash"])).code).toBe(0);
    const names = await readdir(folder);
    expect(names).toContain("read");
    expect(names).not.toContain("question");
    const stale = (await readFile(join(folder, "read"), "utf8")).replace("tool read", "tool gone");
    await project.write(join("../home/data/tools-bin/gone"), stale);
    await project.write(join("../home/data/tools-bin/mine"), "#!/bin/sh\n");
    expect((await run(["tools2bash"])).stdout).toContain("removed gone");
    expect(await readdir(folder)).toContain("mine");
  });
});
