import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  isSandboxError,
  type MalformedLine,
  outputText,
  type SandboxPolicy,
  type SandboxWorker,
  type WorkerOptions,
  worker,
} from "../src/index.js";
import { LIMITS, makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
let place: Playground;

/** A worker together with what came from it, in order. */
class Talk {
  readonly received: unknown[] = [];
  readonly malformed: MalformedLine[] = [];
  readonly #waiting: ((value: unknown) => void)[] = [];
  readonly #worker: SandboxWorker;

  private constructor(started: SandboxWorker) {
    this.#worker = started;
  }

  static async start(
    module: string,
    changes: Partial<SandboxPolicy> = {},
    options: Partial<WorkerOptions> = {},
  ) {
    const started = await worker(module, policyFor(place.project, changes), {
      onMessage: (value) => talk.take(value),
      onMalformed: (line) => talk.malformed.push(line),
      ...options,
    });
    const talk = new Talk(started);
    return talk;
  }

  get worker(): SandboxWorker {
    return this.#worker;
  }

  take(value: unknown): void {
    const next = this.#waiting.shift();
    if (next) next(value);
    else this.received.push(value);
  }

  next(): Promise<unknown> {
    if (this.received.length > 0) return Promise.resolve(this.received.shift());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  ask(value: unknown): Promise<unknown> {
    this.#worker.send(value);
    return this.next();
  }
}

async function kindOf(promise: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error: unknown = await promise.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (!isSandboxError(error)) throw error;
  return { kind: error.kind, message: error.message };
}

function moduleOf(name: string, text: string): string {
  const file = join(place.project, `${name}.mjs`);
  writeFileSync(file, text);
  return file;
}

describe.skipIf(noSandbox !== undefined)("a worker in a sandbox", () => {
  let echo: string;
  beforeAll(() => {
    place = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
    echo = moduleOf(
      "echo",
      `import { execFileSync } from "node:child_process";
       export default ({ send, onMessage }) => onMessage((value) => {
         if (value === "environment") send({ ...process.env });
         else if (value === "where") send([process.cwd(), process.argv[1]]);
         else if (value?.shell) send(execFileSync("bash", ["-c", value.shell], { encoding: "utf8" }));
         else if (value?.exit !== undefined) process.exit(value.exit);
         else send(value);
       });`,
    );
  });
  afterAll(() => place.remove());

  it("exchanges any JSON value, both ways and in order", async () => {
    const talk = await Talk.start(echo);
    const values = [1, null, "é🙂\n", { deep: [{ a: [] }] }, false, "x".repeat(3_000_000)];
    for (const value of values) talk.worker.send(value);
    for (const value of values) expect(await talk.next()).toEqual(value);
    expect((await talk.worker.close()).outcome).toBe("cancelled");
  });

  it("has the environment and the folder of its policy", async () => {
    const talk = await Talk.start(pathToFileURL(echo).href, {
      environment: { PATH: "/usr/bin:/bin", ONLY: "this" },
    });
    expect(await talk.ask("environment")).toEqual({ PATH: "/usr/bin:/bin", ONLY: "this" });
    expect(await talk.ask("where")).toEqual([place.project, echo]);
    expect(await talk.ask({ shell: "echo $ONLY; ls /proc/$$/fd | tr '\\n' ' '" })).toMatch(/^this\n0 1 2 /);
    await talk.worker.close();
  });

  it("keeps its standard streams for output", async () => {
    const module = moduleOf(
      "loud",
      `console.log("loading"); export default ({ send }) => { console.error('{"kind":"value"}'); send("done"); };`,
    );
    const talk = await Talk.start(module);
    expect(await talk.next()).toBe("done");
    const { stdout, stderr } = await talk.worker.close();
    expect([outputText(stdout), outputText(stderr)]).toEqual(["loading\n", '{"kind":"value"}\n']);
    expect(talk.received).toEqual([]);
  });

  it("keeps messages that come before it listens", async () => {
    const module = moduleOf(
      "late",
      `export default async ({ send, onMessage }) => { await new Promise((resolve) => setTimeout(resolve, 300)); onMessage(send); };`,
    );
    const talk = await Talk.start(module);
    talk.worker.send(1);
    talk.worker.send(2);
    expect([await talk.next(), await talk.next()]).toEqual([1, 2]);
    await talk.worker.close();
  });

  it.each([
    { why: "a code", message: { exit: 3 }, exitCode: 3, signal: null },
    { why: "a code that shells use for signals", message: { exit: 137 }, exitCode: 137, signal: null },
    { why: "a signal", message: { shell: "kill -KILL $PPID" }, exitCode: null, signal: "SIGKILL" },
  ])("tells how it ended: $why", async ({ message, exitCode, signal }) => {
    const talk = await Talk.start(echo);
    talk.worker.send(message);
    expect(await talk.worker.exited).toMatchObject({ outcome: "exited", exitCode, signal });
  });

  it("loses nothing that it sent before it exits", async () => {
    const module = moduleOf(
      "burst",
      `export default ({ send }) => { for (let at = 0; at < 2000; at += 1) send({ at, text: "x".repeat(500) }); process.exit(0); };`,
    );
    const talk = await Talk.start(module);
    expect((await talk.worker.exited).exitCode).toBe(0);
    expect(talk.received.length).toBe(2000);
  });

  it("reports lines that are no messages, and goes on", async () => {
    const module = moduleOf(
      "garbage",
      `import { writeSync } from "node:fs";
       export default ({ send }) => {
         writeSync(4, "not json\\n"); writeSync(4, '{"kind":"other"}\\n'); writeSync(4, '"' + "x".repeat(70000) + '"\\n');
         send("still here"); writeSync(4, '{"kind":"val'); process.kill(process.pid, "SIGKILL");
       };`,
    );
    const talk = await Talk.start(module, {}, { maxLineBytes: 65_536 });
    await talk.worker.exited;
    expect(talk.received).toEqual(["still here"]);
    expect(talk.malformed.map(({ reason }) => reason)).toEqual([
      "not-json",
      "not-json",
      "too-long",
      "cut-off",
    ]);
  });

  it("refuses to send what cannot be sent", async () => {
    const talk = await Talk.start(echo, {}, { maxLineBytes: 1500 });
    const circle: { self?: unknown } = {};
    circle.self = circle;
    for (const value of [undefined, () => 1, "x".repeat(2000), circle, 1n])
      expect(() => talk.worker.send(value)).toThrow(expect.objectContaining({ kind: "usage" }));
    expect(await talk.ask("fine")).toBe("fine");
    await talk.worker.close();
    expect(() => talk.worker.send(1)).toThrow(expect.objectContaining({ kind: "closed" }));
  });

  it("refuses a limit on lines that no channel can keep", async () => {
    expect((await kindOf(Talk.start(echo, {}, { maxLineBytes: 10 }))).kind).toBe("usage");
  });

  it.each([
    { why: "a missing module", text: undefined, kind: "usage" },
    { why: "a syntax error", text: "export default (", kind: "start" },
    { why: "top-level code that throws", text: 'throw new Error("no, thanks")', kind: "start" },
    { why: "top-level code that exits", text: "process.exit(0)", kind: "start" },
    { why: "no default export", text: "export const other = 1;", kind: "start" },
  ])("does not start with $why", async ({ text, kind }) => {
    const module = text === undefined ? "/nowhere/module.mjs" : moduleOf("broken", text);
    expect((await kindOf(Talk.start(module))).kind).toBe(kind);
  });

  it("says what the module threw", async () => {
    const module = moduleOf("thrower", 'throw new Error("no, thanks")');
    expect((await kindOf(Talk.start(module))).message).toContain("no, thanks");
  });

  it("does not see a module in a replaced folder unless the policy shows it", async () => {
    const hidden = join(place.home, "modules");
    mkdirSync(hidden);
    writeFileSync(join(hidden, "one.mjs"), "export default ({ send }) => send(1);");
    const changes = { hidden: [place.home] };
    expect(await kindOf(Talk.start(join(hidden, "one.mjs"), changes))).toMatchObject({ kind: "usage" });
    const talk = await Talk.start(join(hidden, "one.mjs"), { ...changes, readable: [hidden] });
    expect(await talk.next()).toBe(1);
    await talk.worker.close();
  });

  it("can be cancelled while it loads, and while it works", async () => {
    const module = moduleOf("endless", "for (;;);");
    expect((await kindOf(Talk.start(module, {}, { signal: AbortSignal.timeout(1500) }))).kind).toBe(
      "cancelled",
    );
    expect((await kindOf(Talk.start(echo, {}, { signal: AbortSignal.abort() }))).kind).toBe("cancelled");
    const abort = new AbortController();
    const talk = await Talk.start(echo, {}, { signal: abort.signal });
    abort.abort();
    expect((await talk.worker.exited).outcome).toBe("cancelled");
  });

  it("is limited in time, from its first line on", async () => {
    const talk = await Talk.start(echo, { limits: { ...LIMITS, timeMs: 5000 } });
    expect((await talk.worker.exited).outcome).toBe("timed-out");
  });

  it("does not keep its host alive when it is not to, and ends with it", async () => {
    const script = join(fixtures, "standby.mjs");
    const policy = JSON.stringify(policyFor(place.project));
    const child = spawn(process.execPath, [script, place.entry, echo, policy], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    child.stdout.on("data", (chunk) => lines.push(String(chunk)));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, lines.join("")]).toEqual([0, "answered\n"]);
  });
});
