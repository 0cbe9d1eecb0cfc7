import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundlePrograms } from "./support/bundle.js";
import { temporaryFolder } from "./support/fixture.js";

const HEARTBEAT_MS = 100;
const STALE_MS = 600;
/** Stale, then two beats of watching; the rest is for a busy machine. */
const BOUND_MS = STALE_MS + 2 * HEARTBEAT_MS + 10_000;
const ROUNDS = 50;

let programs: Awaited<ReturnType<typeof bundlePrograms>>;
beforeAll(async () => {
  programs = await bundlePrograms();
});
afterAll(() => programs.dispose());

interface Said {
  readonly pid: number;
  readonly event: string;
  readonly [field: string]: unknown;
}

class Contender {
  readonly child: ChildProcess;
  readonly #said: Said[] = [];
  readonly #waiting = new Set<() => void>();
  readonly ended: Promise<unknown>;

  constructor(folder: string, session: string, log: string) {
    const args = [programs.path("contender"), folder, session, log, String(HEARTBEAT_MS), String(STALE_MS)];
    this.child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void this.child.kill("SIGKILL"));
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    if (this.child.stdout === null) throw new Error("no pipe");
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.#said.push(JSON.parse(line));
      for (const look of this.#waiting) look();
    });
  }

  async says(event: string): Promise<Said> {
    const find = () => this.#said.find((said) => said.event === event);
    if (find() === undefined) {
      await new Promise<void>((resolve) => {
        const look = () => {
          if (find() === undefined) return;
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
      });
    }
    const said = find();
    if (said === undefined) throw new Error(`nothing of ${event}`);
    return said;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

async function newSession(): Promise<{ folder: string; session: string; file: string; log: string }> {
  const folder = temporaryFolder();
  const store = await createJsonlRepository({ folder }).create();
  await store.close();
  const session = store.info.id;
  return { folder, session, file: join(folder, `${session}.jsonl`), log: join(folder, "log.txt") };
}

/** Everything that was committed is there, once, in one chain, and nothing is damaged but torn ends. */
async function judge(folder: string, session: string, log: string): Promise<number> {
  const store = await createJsonlRepository({ folder }).open(session);
  const entries = await store.load();
  expect(store.damage.filter(({ reason }) => reason !== "torn")).toEqual([]);
  await store.close();
  const ids = new Set(entries.map(({ id }) => id));
  expect(ids.size).toBe(entries.length);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.map(({ parent }) => parent)).toEqual(
    [null, ...entries.map(({ id }) => id)].slice(0, entries.length),
  );
  const committed = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("did "));
  expect(committed.filter((line) => !ids.has(line.split(" ")[1] ?? ""))).toEqual([]);
  return entries.length;
}

describe("two processes on one session", () => {
  it(`take turns by kill -9, ${ROUNDS} times, without a lost or a mixed line`, {
    timeout: 240_000,
  }, async () => {
    const { folder, session, log } = await newSession();
    let owner = new Contender(folder, session, log);
    await owner.says("wrote");
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = new Contender(folder, session, log);
      const locked = await next.says("locked");
      expect(locked.holder).toBe(owner.child.pid);
      expect(String(locked.message)).toContain(`${owner.child.pid}`);
      expect(Number(locked.since)).toBeGreaterThan(Date.now() - 120_000);
      await owner.kill();
      const killedAt = Date.now();
      await next.says("owner");
      expect(Date.now() - killedAt).toBeLessThan(BOUND_MS);
      owner = next;
      await owner.says("wrote");
    }
    await owner.kill();
    expect(await judge(folder, session, log)).toBeGreaterThan(ROUNDS * 3);
    rmSync(folder, { recursive: true, force: true });
  });

  it("give a stopped owner up after its time, and what it writes when it wakes up is nowhere", {
    timeout: 120_000,
  }, async () => {
    for (let round = 0; round < 5; round += 1) {
      const { folder, session, file, log } = await newSession();
      const first = new Contender(folder, session, log);
      await first.says("wrote");
      first.child.kill("SIGSTOP");
      const stoppedAt = Date.now();
      const second = new Contender(folder, session, log);
      expect((await second.says("locked")).holder).toBe(first.child.pid);
      await second.says("wrote");
      expect(Date.now() - stoppedAt).toBeLessThan(BOUND_MS);
      second.child.kill("SIGSTOP");
      const before = readFileSync(file);
      first.child.kill("SIGCONT");
      const stopped = await first.says("stopped");
      expect(stopped.kind).toBe("overtaken");
      expect(String(stopped.message)).toContain("taken over by another process");
      await first.ended;
      expect(readFileSync(file).equals(before)).toBe(true);
      second.child.kill("SIGCONT");
      await second.kill();
      await judge(folder, session, log);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("agree on one owner when many want the session of a dead one at once", {
    timeout: 120_000,
  }, async () => {
    const { folder, session, log } = await newSession();
    const first = new Contender(folder, session, log);
    await first.says("wrote");
    const rivals = Array.from({ length: 5 }, () => new Contender(folder, session, log));
    await Promise.all(rivals.map((rival) => rival.says("locked")));
    let owner = first;
    for (let left = rivals.length; left > 0; left -= 1) {
      await owner.kill();
      owner = await Promise.race(
        rivals
          .filter(({ child }) => child.exitCode === null && child.signalCode === null)
          .map(async (rival) => {
            await rival.says("wrote");
            return rival;
          }),
      );
    }
    await owner.kill();
    await judge(folder, session, log);
    rmSync(folder, { recursive: true, force: true });
  });
});
