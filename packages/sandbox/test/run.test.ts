import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  isSandboxError,
  outputText,
  type RunOptions,
  type RunResult,
  run,
  type SandboxPolicy,
} from "../src/index.js";
import { LIMITS, makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

let place: Playground;

const sh = (
  script: string,
  changes: Partial<SandboxPolicy> = {},
  options: RunOptions = {},
): Promise<RunResult> => run(["bash", "-c", script], policyFor(place.project, changes), options);

/** `kind` of what it rejects with, and the field that is named. */
async function failureOf(promise: Promise<unknown>): Promise<{ kind: string; at?: string; message: string }> {
  const error: unknown = await promise.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (!isSandboxError(error)) throw error;
  const at = "at" in error.details ? error.details.at : undefined;
  return { kind: error.kind, message: error.message, ...(at === undefined ? {} : { at }) };
}

describe.skipIf(noSandbox !== undefined)("a program in a sandbox", () => {
  beforeAll(() => {
    place = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  });
  afterAll(() => place.remove());

  it.each([
    { why: "success", script: "exit 0", exitCode: 0, signal: null },
    { why: "a failure", script: "exit 3", exitCode: 3, signal: null },
    { why: "a code that shells use for signals", script: "exit 137", exitCode: 137, signal: null },
    { why: "a signal", script: "kill -KILL $$", exitCode: null, signal: "SIGKILL" },
    { why: "a signal that could be caught", script: "kill -TERM $$", exitCode: null, signal: "SIGTERM" },
    { why: "a signal to its whole group", script: "kill -INT 0; sleep 10", exitCode: null, signal: "SIGINT" },
    {
      why: "the end of the program that watches it",
      script: "kill -KILL $PPID; sleep 10",
      exitCode: null,
      signal: "SIGKILL",
    },
  ])("tells how it ended: $why", async ({ script, exitCode, signal }) => {
    expect(await sh(script)).toMatchObject({ outcome: "exited", exitCode, signal });
  });

  it("leaves Node resolving modules behind links to their real files", async () => {
    const packages = join(place.base, "linked modules");
    mkdirSync(join(packages, "real"), { recursive: true });
    symlinkSync("real", join(packages, "link"));
    for (const name of ["before.cjs", "after.cjs"])
      writeFileSync(join(packages, "real", name), "module.exports = __filename;");
    const require = createRequire(import.meta.url);
    // The first one makes Node remember the folders above.
    expect(require(join(packages, "link/before.cjs"))).toBe(join(packages, "real/before.cjs"));
    await sh("echo");
    expect(require(join(packages, "link/after.cjs"))).toBe(join(packages, "real/after.cjs"));
  });

  it("keeps the output of its two streams apart, and both ends of a flood", async () => {
    const result = await sh("echo first; echo error >&2; head -c 5000000 /dev/zero; echo; echo last", {
      limits: { ...LIMITS, outputBytes: 1000 },
    });
    expect(outputText(result.stderr)).toBe("error\n");
    const text = outputText(result.stdout);
    expect(text.startsWith("first\n")).toBe(true);
    expect(text.endsWith("\nlast\n")).toBe(true);
    expect(result.stdout.cutBytes).toBe(5_000_000 + "first\n\nlast\n".length - 1000);
  });

  it("shows its output as it comes", async () => {
    const seen: string[] = [];
    const abort = new AbortController();
    const result = await sh(
      "echo here; echo there >&2; sleep 60",
      {},
      {
        signal: abort.signal,
        onOutput: ({ stream, bytes }) => {
          seen.push(`${stream} ${new TextDecoder().decode(bytes).trim()}`);
          if (seen.length === 2) abort.abort();
        },
      },
    );
    expect(seen.sort()).toEqual(["stderr there", "stdout here"]);
    expect(result.outcome).toBe("cancelled");
  });

  it("has real pipes, so that scripts can open /dev/stdout and /dev/stderr", async () => {
    const result = await sh("echo out > /dev/stdout; echo err > /dev/stderr");
    expect([outputText(result.stdout), outputText(result.stderr)]).toEqual(["out\n", "err\n"]);
  });

  it.each([
    { why: "none", script: "cat", options: {}, shown: "" },
    { why: "text", script: "cat", options: { input: "é\n" }, shown: "é\n" },
    { why: "bytes", script: "wc -c", options: { input: new Uint8Array(300_000) }, shown: "300000\n" },
    {
      why: "more than it reads",
      script: "head -c 2",
      options: { input: "x".repeat(1_000_000) },
      shown: "xx",
    },
  ])("gets its input: $why", async ({ script, options, shown }) => {
    const { exitCode, stdout } = await sh(script, {}, options);
    expect([exitCode, outputText(stdout)]).toEqual([0, shown]);
  });

  it("has the environment of its policy and nothing else", async () => {
    const environment = { PATH: "/usr/bin:/bin", "odd name": "1", EMPTY: "", LINES: "a\nb" };
    const result = await run(["/usr/bin/env", "-0"], policyFor(place.project, { environment }));
    expect(outputText(result.stdout).split("\0").filter(Boolean).sort()).toEqual(
      Object.entries(environment)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    );
  });

  it("does not let its environment act on what sets the sandbox up", async () => {
    const library = join(place.project, "evil.so");
    writeFileSync(library, "this is no library");
    const environment = {
      PATH: "/usr/bin:/bin",
      LD_PRELOAD: library,
      NODE_OPTIONS: "--require /nowhere.js",
      BASH_ENV: "/nowhere",
    };
    const result = await run(["/bin/true"], policyFor(place.project, { environment }));
    expect(result.exitCode).toBe(0);
    // The loader complains about the library once, in the program itself.
    expect(outputText(result.stderr).split("\n").filter(Boolean)).toHaveLength(1);
  });

  it("has no descriptors but its three streams", async () => {
    const result = await sh('for one in /proc/$$/fd/*; do echo "$(readlink "$one")"; done');
    const open = outputText(result.stdout)
      .split("\n")
      .filter((line) => line !== "" && line !== "/dev/null");
    expect(open.every((target) => /\/[12] \(deleted\)$|^pipe:|^\/proc/.test(target))).toBe(true);
  });

  it("gets its arguments as they are", async () => {
    const words = ["-n", "--", "a b", "'", '"', "$HOME", "line\nbreak", "", "*", "\\"];
    const result = await run(["/usr/bin/printf", "%s\\0", ...words], policyFor(place.project));
    expect(outputText(result.stdout)).toBe(words.map((word) => `${word}\0`).join(""));
  });

  it("is limited in time", async () => {
    const result = await sh("echo started; trap '' TERM; sleep 60", { limits: { ...LIMITS, timeMs: 1500 } });
    expect(result).toMatchObject({ outcome: "timed-out", exitCode: null, signal: null });
  });

  it("does not start when it is cancelled before", async () => {
    const result = await sh("touch started", {}, { signal: AbortSignal.abort() });
    expect(result.outcome).toBe("cancelled");
    expect(existsSync(join(place.project, "started"))).toBe(false);
  });

  it("can use the host's network when the policy says so, but no unix socket", async () => {
    const script =
      "grep -c : /proc/net/dev; python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>&1 | tail -n 1";
    const result = await sh(script, { network: "full" });
    const [interfaces, refusal] = outputText(result.stdout).split("\n");
    expect(Number(interfaces)).toBe(
      readFileSync("/proc/net/dev", "utf8")
        .split("\n")
        .filter((line) => line.includes(":")).length,
    );
    expect(refusal).toMatch(/PermissionError|not found/);
  });

  it("has a private temporary folder and shared memory, which take files", async () => {
    const result = await sh("echo a > /tmp/a && echo b > /dev/shm/b && mktemp && cat /tmp/a /dev/shm/b");
    expect(result.exitCode).toBe(0);
    expect(existsSync("/tmp/a")).toBe(false);
  });

  describe("whose policy nests paths", () => {
    it("follows the longest one", async () => {
      const home = place.home;
      mkdirSync(join(home, "work/keep/deep"), { recursive: true });
      writeFileSync(join(home, "work/keep/deep/file"), "seen\n");
      const result = await sh(
        `ls -A ${home}; cd ${home}/work && touch made && ! touch keep/no && ls keep/deep && touch keep/deep/yes && ls ${home}/.ssh`,
        {
          hidden: [home],
          writeRoots: [join(home, "work"), join(home, "work/keep/deep")],
          readOnly: [join(home, "work/keep")],
          readable: [join(home, ".ssh")],
          cwd: join(home, "work"),
        },
      );
      expect(outputText(result.stdout).split("\n")).toEqual([".ssh", "work", "file", "id_ed25519", ""]);
      expect(readdirSync(join(home, "work/keep/deep")).sort()).toEqual(["file", "yes"]);
    });

    it("follows links to write roots and hidden paths", async () => {
      const [link, hiddenLink] = [join(place.base, "link"), join(place.base, "hidden-link")];
      symlinkSync(place.project, link);
      symlinkSync(join(place.home, ".netrc"), hiddenLink);
      const result = await sh(`pwd; touch through-link; cat ${place.home}/.netrc`, {
        writeRoots: [link],
        cwd: link,
        hidden: [hiddenLink],
      });
      expect(outputText(result.stdout)).toBe(`${place.project}\n`);
      expect(existsSync(join(place.project, "through-link"))).toBe(true);
    });
  });

  describe("that cannot be run", () => {
    it.each<{ why: string; command: string[]; changes?: Partial<SandboxPolicy>; kind: string; at?: string }>([
      { why: "no such program", command: ["no-such-program"], kind: "start" },
      { why: "a program that may not be run", command: ["/etc/passwd"], kind: "start" },
      { why: "an empty command", command: [], kind: "usage", at: "command[0]" },
      { why: "a NUL in an argument", command: ["echo", "a\0b"], kind: "usage", at: "command[1]" },
      {
        why: "a missing write root",
        command: ["true"],
        changes: { writeRoots: ["/nowhere/at all"] },
        kind: "usage",
        at: "policy.writeRoots[0]",
      },
      {
        why: "a file as write root",
        command: ["true"],
        changes: { writeRoots: ["/etc/passwd"] },
        kind: "usage",
        at: "policy.writeRoots[0]",
      },
      {
        why: "the file system as write root",
        command: ["true"],
        changes: { writeRoots: ["/"] },
        kind: "usage",
        at: "policy.writeRoots[0]",
      },
      {
        why: "a missing folder to work in",
        command: ["true"],
        changes: { cwd: "/nowhere" },
        kind: "usage",
        at: "policy.cwd",
      },
      {
        why: "a folder to work in that is replaced",
        command: ["true"],
        changes: { cwd: "/run/lock" },
        kind: "usage",
        at: "policy.cwd",
      },
      {
        why: "a missing path to keep visible",
        command: ["true"],
        changes: { readable: ["/nowhere"] },
        kind: "usage",
        at: "policy.readable[0]",
      },
    ])("says why: $why", async ({ command, changes, kind, at }) => {
      const failure = await failureOf(run(command, policyFor(place.project, changes)));
      expect(failure).toMatchObject({ kind, ...(at === undefined ? {} : { at }) });
    });

    it("refuses a pin that is a symbolic link, and one below such a link", async () => {
      symlinkSync(place.outside, join(place.project, "linked"));
      for (const pin of ["linked", "linked/below"]) {
        const failure = await failureOf(sh("true", { readOnly: [join(place.project, pin)] }));
        expect(failure).toMatchObject({ kind: "usage", at: "policy.readOnly[0]" });
        expect(failure.message).toContain("symbolic link");
      }
    });

    it("does not repeat secrets in what it says", async () => {
      const policy = { ...policyFor(place.project), environment: { TOKEN: "s3cret\0" } };
      const failure = await failureOf(run(["true"], policy));
      expect(failure.at).toBe("policy.environment.TOKEN");
      expect(failure.message).not.toContain("s3cret");
    });
  });
});
