import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BackgroundCommands } from "@ashlar/context/tool";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BashInput } from "../../src/bash/bash-input.js";
import { bashLimits } from "../../src/bash/bash-settings.js";
import { changesFolder } from "../../src/bash/folder-change.js";
import * as tool from "../../src/tools/bash.js";
import { failureOf } from "../support/failure.js";
import { memoryExecution, memoryFiles } from "../support/memory-files.js";
import { type CallOptions, project, toolContext, writingContext } from "../support/project.js";

const bash = (
  command: string,
  options: CallOptions & { readonly cwd?: string; readonly input?: Partial<BashInput> } = {},
): Promise<string> =>
  tool.bash({ command, ...options.input }, writingContext(options.cwd ?? project(), options));

const RUNNING =
  "[Something it started was still running when the shell ended; it ends with this call. To keep a command going, use background: true.]";

describe("bash", () => {
  it("gives both streams, and the exit code when it is not 0", async () => {
    expect(await bash("echo out; echo err >&2")).toBe("out\n[stderr]\nerr\n");
    expect(await bash("printf out; echo err >&2; exit 3")).toBe("out\n[stderr]\nerr\n[Exit code 3.]");
    expect(await bash("true")).toBe("[No output.]");
    expect(await bash("false")).toBe("[No output.]\n[Exit code 1.]");
  });

  it("tells a signal from an exit code", async () => {
    expect(await bash("kill -SEGV $$")).toBe("[No output.]\n[Ended by signal SIGSEGV.]");
    expect(await bash("exit 139")).toBe("[No output.]\n[Exit code 139.]");
  });

  it("runs in the agent's folder with the variables that are added", async () => {
    const cwd = project({ "sub/x": "" });
    expect(await bash("pwd", { cwd, folder: join(cwd, "sub") })).toBe(`${join(cwd, "sub")}\n`);
    expect(await bash('echo "$A-$B"', { input: { env: { A: "1 2", B: "" } } })).toBe("1 2-\n");
  });

  it("says that cd did not last, and it did not", async () => {
    const cwd = project({ "sub/x": "" });
    expect(await bash("cd sub && pwd", { cwd })).toBe(
      `${join(cwd, "sub")}\n[cd holds for one call: the next command starts in ${cwd} again.]`,
    );
    expect(await bash("pwd", { cwd })).toBe(`${cwd}\n`);
  });

  it.each([
    { command: "cd x", changes: true },
    { command: "true; cd x", changes: true },
    { command: "a && cd 'x y' && b", changes: true },
    { command: "if a; then cd x; fi", changes: true },
    { command: "builtin cd", changes: true },
    { command: "pushd x", changes: true },
    { command: "(cd x && make)", changes: false },
    { command: "echo cd x", changes: false },
    { command: "abcd x; cd-hook", changes: false },
    { command: "git -C cd status", changes: false },
  ])("knows whether a command changes the folder: $command", ({ command, changes }) => {
    expect(changesFolder(command)).toBe(changes);
  });

  it("hands lines to viewers while it runs, and not without end", async () => {
    const live: string[] = [];
    let firstAt = 0;
    const onData = (chunk: string): void => {
      live.push(chunk);
      firstAt ||= Date.now();
    };
    await bash("echo first; sleep 0.5; printf '\\033[1mlast\\033[0m'", { onData });
    expect(Date.now() - firstAt).toBeGreaterThan(300);
    expect(live).toEqual(["first\n", "last"]);
    live.length = 0;
    await bash("seq 1 100000", { onData });
    expect(live.join("").length).toBeLessThan(51_000);
    expect(live.at(-1)).toBe("\n[more output is not shown live]\n");
  });
});

describe("commands that never let go", () => {
  it.each([
    { why: "a child", command: "sleep 300 & echo started" },
    {
      why: "a child in a session of its own",
      command: "setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 0.2; echo started",
    },
    {
      why: "a child that goes on printing",
      command: "(while :; do echo tick; sleep 0.2; done) & sleep 0.1; echo started",
    },
  ])("come back with a word about $why", async ({ command }) => {
    const cwd = project();
    onTestFinished(() => {
      if (!readdirSync(cwd).includes("pid")) return;
      try {
        process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")), "SIGKILL");
      } catch {
        // It is gone already.
      }
    });
    const result = await bash(command, { cwd });
    expect(result).toContain("started\n");
    expect(result).toContain(RUNNING);
    expect(result).not.toContain("Exit code");
  });

  it.each([
    { command: "cat", result: "[No output.]" },
    { command: "read -p 'name? ' n; echo \"[$n]\"", result: "[]\n" },
  ])("find no input to wait for: $command", async ({ command, result }) => {
    expect(await bash(command)).toBe(result);
  });

  it("have no terminal", async () => {
    expect(await bash(`python3 -c "open('/dev/tty').read()"`)).toMatch(/\[Exit code 1\.\]$/);
  });
});

describe("output", () => {
  it("of 150 MB is bounded in the result and in memory, and it says how much is missing and where it is", async () => {
    const before = process.memoryUsage().rss;
    const result = await bash("yes 0123456789 | head -c 150000000");
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(result.length).toBeLessThan(41_000);
    expect(result).toMatch(/^0123456789\n0123/);
    expect(result).toContain("[149960000 characters left out here]");
    expect(result).toMatch(
      /\[stdout: 150000000 bytes; 149960000 characters in the middle are left out and kept nowhere\. To see them, .*\]$/,
    );
  });

  it("is put together from characters that were cut, one stream at a time", async () => {
    expect(
      await bash("printf 'p \\342'; sleep .1; printf 'E\\n' >&2; sleep .1; printf '\\202\\254 q\\n'"),
    ).toBe("p € q\n[stderr]\nE\n");
  });

  it("of progress lines is the last of them", async () => {
    const result = await bash("for i in $(seq 0 5 100); do printf '\\rload %d%%' $i; done; echo");
    expect(result).toBe(
      "load 100%\n[stdout: lines that were rewritten in place are shown as they ended (20 rewrites).]",
    );
  });

  it("has no colours", async () => {
    expect(await bash("printf '\\033[31mred\\033[0m\\n'")).toBe("red\n");
  });

  it("that is no UTF-8 stays readable, and the loss is marked", async () => {
    expect(await bash("printf '\\377\\376A\\n'")).toBe(
      "\ufffd\ufffdA\n[stdout: bytes that are not UTF-8 are shown as \ufffd (2).]",
    );
  });

  it("of one line of 3 MB is bounded", async () => {
    const result = await bash("head -c 3000000 /dev/zero | tr '\\0' z");
    expect(result.length).toBeLessThan(41_000);
    expect(result).toContain("[2960000 characters left out here]");
  });

  it.each([0, 1, 2, 3])("is never cut inside a character, %d characters shifted", async (shift) => {
    const result = await bash(`python3 -c "print('x'*${shift}+'🙂'*300000)"`);
    expect(Buffer.from(result).toString("utf8")).toBe(result);
    expect(result).not.toContain("\ufffd");
    expect(result).toContain("characters left out here");
  });

  it("keeps what follows a NUL, and marks it", async () => {
    expect(await bash("printf 'a\\000b'")).toBe("a␀b\n[stdout: NUL bytes are shown as ␀.]");
  });

  it("keeps the errors of a command that floods the other stream", async () => {
    const result = await bash("seq 1 1000000; echo 'the reason' >&2; exit 1");
    expect(result).toContain("[stderr]\nthe reason\n");
    expect(result).toMatch(/\[Exit code 1\.\]$/);
  });

  it("has limits that are settings", async () => {
    const result = await bash("seq 1 1000", { settings: { bash: { stdoutCharacters: 20 } } });
    expect(result).toMatch(/^1\n2\n3\n4\n5\n\[3873 characters left out here\]\n/);
    for (const settings of [{}, { bash: 7 }, { bash: { stdoutCharacters: -1, stderrCharacters: "9" } }])
      expect(bashLimits(settings)).toEqual(tool.settingsSchema().bash?.default);
  });
});

describe("the time of a command", () => {
  it("is up: what it printed until then is the result, and its processes are gone", async () => {
    const cwd = project();
    const result = await bash("echo begun; echo $$ > pid; sleep 300", { cwd, input: { timeout: 1000 } });
    expect(result).toBe(
      "begun\n[Ended after 1 s, because its time was up. Give it more with timeout, or let it go on with background: true.]",
    );
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: "ESRCH" }));
  });

  it("is up a little before the host's own", async () => {
    const result = await bash("trap '' TERM; echo begun; while :; do sleep 0.1; done", {
      deadline: Date.now() + 2000,
    });
    expect(result).toMatch(/^begun\n\[Ended after 1\.5 s, because its time was up/);
  });

  it("ends with a cancel, which is an error", async () => {
    const abort = new AbortController();
    const running = failureOf(bash("sleep 300", { signal: abort.signal }));
    setTimeout(() => abort.abort(), 200);
    expect(await running).toBe("cancelled: The command was cancelled.");
    expect(await failureOf(bash("touch x", { signal: AbortSignal.abort() }))).toBe(
      "cancelled: The command was cancelled.",
    );
  });
});

describe("bash with arguments that do not fit", () => {
  it.each([
    { why: "nothing to run", input: { command: "  " }, says: "command is empty" },
    { why: "a NUL", input: { command: "echo a\0b" }, says: "NUL character" },
    { why: "a list", input: { command: ["ls"] }, says: "command: wanted a string, came an array" },
    {
      why: "a bad variable",
      input: { command: "x", env: { "A=B": "1" } },
      says: 'env: "A=B" is no name of a variable',
    },
    {
      why: "a variable that is no text",
      input: { command: "x", env: { A: 1 } },
      says: "env.A: wanted a string, came a number",
    },
    { why: "an unknown field", input: { command: "x", cwd: "/" }, says: 'bash has no field "cwd"' },
    {
      why: "more than a system takes",
      input: { command: `: ${"x".repeat(3_000_000)}` },
      says: "command is too long for this system",
    },
  ])("runs nothing and names what is wrong: $why", async ({ input, says }) => {
    // As it comes from a model: whatever JSON holds.
    const sent: BashInput = JSON.parse(JSON.stringify(input));
    const failure = await failureOf(tool.bash(sent, writingContext(project())));
    expect(failure).toMatch(/^usage: /);
    expect(failure).toContain(says);
  });

  it("is refused in a call that may change nothing", async () => {
    const cwd = project();
    expect(await failureOf(tool.bash({ command: "touch x" }, toolContext(cwd)))).toBe(
      "refused: bash was not run: nothing may be changed here.",
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("says when the folder is gone", async () => {
    const cwd = project();
    expect(await failureOf(bash("true", { cwd, folder: join(cwd, "none") }))).toMatch(
      /^missing: There is no /,
    );
  });

  it("runs on any machine that is given", async () => {
    const execution = memoryExecution(
      memoryFiles({ "/work/a": { kind: "file" } }),
      async (command, { cwd, onOutput }) => {
        onOutput("stdout", Buffer.from(`${command} in ${cwd}`));
        return { exitCode: 7, signal: null };
      },
    );
    expect(await bash("hello", { cwd: "/work", execution })).toBe("hello in /work\n[Exit code 7.]");
  });
});

describe("a command in the background", () => {
  const command = { id: "b1", command: "serve", running: true, exitCode: null, signal: null };
  const never = async (): Promise<never> => {
    throw new Error("not asked for");
  };
  const commands = (start: BackgroundCommands["start"]): BackgroundCommands => ({
    start,
    list: never,
    output: never,
    stop: never,
  });

  it("is started by the host, and named by its id", async () => {
    const started: unknown[] = [];
    const background = commands(async (...given) => {
      started.push(given);
      return { ...command, preview: "\u001b[32mlistening\u001b[0m\n" };
    });
    expect(await bash("serve", { background, input: { background: true, env: { PORT: "1" } } })).toBe(
      'listening\n[Started in the background as b1.]\n[{"action": "output", "id": "b1"} of process shows its output, "stop" ends it.]',
    );
    expect(started).toEqual([["serve", { environment: { PORT: "1" } }]]);
  });

  it("may have ended already", async () => {
    const background = commands(async () => ({ ...command, running: false, exitCode: 1, preview: "" }));
    expect(await bash("serve", { background, input: { background: true } })).toContain(
      "[Ended with exit code 1.]",
    );
  });

  it("is refused where there is nothing to keep it going", async () => {
    expect(await failureOf(bash("serve", { input: { background: true } }))).toMatch(
      /^refused: background: true was refused: nothing here/,
    );
  });
});
