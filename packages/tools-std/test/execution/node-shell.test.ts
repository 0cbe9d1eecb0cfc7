import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ShellExit } from "@ashlar/context/tool";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeExecution } from "../../src/index.js";
import { project } from "../support/project.js";

const { shell } = nodeExecution();

interface Ran {
  readonly end: ShellExit;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

async function run(
  command: string,
  options: {
    readonly cwd?: string;
    readonly signal?: AbortSignal;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<Ran> {
  const output = { stdout: "", stderr: "" };
  const begin = Date.now();
  const end = await shell.run(command, {
    cwd: options.cwd ?? project(),
    signal: options.signal ?? new AbortController().signal,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    onOutput: (stream, bytes) => {
      output[stream] += new TextDecoder().decode(bytes);
    },
  });
  return { end, ...output, ms: Date.now() - begin };
}

/** Ends a process that a test left behind on purpose, by the id it wrote. */
function endLater(file: string): void {
  onTestFinished(() => {
    try {
      process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
    } catch {
      // It is gone already.
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
  } catch {
    return false;
  }
}

describe("the shell of this machine", () => {
  it("tells an exit code from a signal", async () => {
    expect((await run("exit 3")).end).toMatchObject({ exitCode: 3, signal: null });
    expect((await run("kill -KILL $$")).end).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect((await run("no-such-program-here")).end).toMatchObject({ exitCode: 127, signal: null });
  });

  it("runs in the folder, with the names that are added, and reads no start-up file", async () => {
    const folder = project({ "rc.sh": "echo FROM-RC", ".bashrc": "echo FROM-RC" });
    const before = process.env.BASH_ENV;
    process.env.BASH_ENV = join(folder, "rc.sh");
    onTestFinished(() => {
      if (before === undefined) delete process.env.BASH_ENV;
      else process.env.BASH_ENV = before;
    });
    const environment = { ADDED: "a b", HOME: folder };
    const { stdout } = await run('pwd; echo "$ADDED"; shopt -q login_shell || echo plain', {
      cwd: folder,
      environment,
    });
    expect(stdout).toBe(`${folder}\na b\nplain\n`);
  });

  it("rejects when the folder is not there", async () => {
    await expect(run("true", { cwd: join(project(), "none") })).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("gives all output, however much, before it resolves", async () => {
    const { stdout, end } = await run("head -c 3000000 /dev/zero | tr '\\0' z");
    expect(stdout).toHaveLength(3_000_000);
    expect(end).toEqual({ exitCode: 0, signal: null, outputOpen: false });
  });
});

describe("commands that never let go", () => {
  it.each([
    { why: "a child that holds the pipes", command: "sleep 300 & echo $! > pid; echo started" },
    {
      why: "a child in a session of its own",
      command: "setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 0.2; echo started",
    },
    {
      why: "a child that goes on printing",
      command: "(while :; do echo tick; sleep 0.2; done) & echo $! > pid; echo started",
    },
    {
      why: "a child that holds no pipe",
      command: "sleep 300 >/dev/null 2>&1 & echo $! > pid; echo started",
    },
  ])("end with the shell: $why", async ({ command }) => {
    const folder = project();
    endLater(join(folder, "pid"));
    const { stdout, end } = await run(command, { cwd: folder });
    expect(stdout).toContain("started\n");
    expect(end).toEqual({ exitCode: 0, signal: null, outputOpen: true });
  });

  it("leave nothing behind in the shell's own group, also when it ignores the request", async () => {
    const folder = project();
    await run("(trap '' TERM; sleep 300) & echo $! > pid; sleep 0.2", { cwd: folder });
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    await waitFor(() => !isAlive(pid));
  });

  it.each([
    { why: "cat", command: "cat; echo end", stdout: "end\n" },
    { why: "a prompt", command: "read -p 'name? ' n; echo \"[$n]\"", stdout: "[]\n" },
    {
      why: "a program that reads from where it should write",
      command: `python3 -c 'import os; print(os.read(2, 1))'`,
      stdout: "b''\n",
    },
  ])("find no input to wait for: $why", async ({ command, stdout }) => {
    expect((await run(command)).stdout).toBe(stdout);
  });

  it("have no terminal to ask on", async () => {
    const { end, stderr } = await run(`python3 -c "open('/dev/tty').read()"`);
    expect(end.exitCode).toBe(1);
    expect(stderr).toMatch(/No such device or address|Device not configured/);
  });

  it("end when an editor is asked for", async () => {
    const folder = project({ "a.txt": "x" });
    execFileSync("sh", ["-c", "git init -q . && git add a.txt"], { cwd: folder });
    const environment = {
      EDITOR: "vi",
      GIT_EDITOR: "vi",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b.c",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b.c",
    };
    const { end } = await run("git commit", { cwd: folder, environment });
    expect(end.exitCode).not.toBe(0);
    expect(end.signal).toBeNull();
  });
});

describe("an abort", () => {
  it.each([
    { why: "asked to end", command: "echo $$ > pid; sleep 300", signal: "SIGTERM" },
    {
      why: "made to end when it does not listen",
      command: "trap '' TERM; echo $$ > pid; while :; do sleep 300; done",
      signal: "SIGKILL",
    },
  ])("ends the whole group: $why", async ({ command, signal }) => {
    const folder = project();
    const abort = new AbortController();
    const running = run(command, { cwd: folder, signal: abort.signal });
    await waitFor(() => readFileSync(join(folder, "pid"), "utf8") !== "");
    abort.abort();
    expect((await running).end).toMatchObject({ exitCode: null, signal });
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    await waitFor(() => !isAlive(pid));
  });

  it("before the start starts nothing", async () => {
    const folder = project();
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(run("touch started", { cwd: folder, signal })).rejects.toThrow("gone");
    expect(readdirSync(folder)).toEqual([]);
  });
});

async function waitFor(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    try {
      if (condition()) return;
    } catch {
      // Not there yet.
    }
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error("waited in vain");
}
