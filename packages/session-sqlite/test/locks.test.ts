import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSqliteRepository, type DriverName } from "@ashlar/session-sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Contender } from "./support/contender.js";
import { drivers, temporaryFolder } from "./support/fixture.js";
import { buildPrograms, type Programs } from "./support/programs.js";

const HEARTBEAT_MS = 200;
const STALE_MS = 3_000;
/** Stale, then two beats of watching; the rest is for a busy machine. */
const BOUND_MS = STALE_MS + 2 * HEARTBEAT_MS + 10_000;
const ROUNDS = 50;

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterEach(() => Contender.endAll());
afterAll(() => programs.dispose());

interface Scene {
  readonly folder: string;
  readonly session: string;
  readonly log: string;
  readonly driver: DriverName;
}

async function newScene(driver: DriverName): Promise<Scene> {
  const folder = temporaryFolder();
  const repository = createSqliteRepository({ folder, driver });
  const session = (await repository.create()).info.id;
  await repository.close();
  return { folder, session, log: join(folder, "log.txt"), driver };
}

/** With a long pause it is nearly always stopped between two transactions. */
function contender({ folder, session, log, driver }: Scene, pauseMs = 5): Contender {
  const times = [HEARTBEAT_MS, STALE_MS, pauseMs].map(String);
  return new Contender(programs.path("contender"), folder, session, log, driver, ...times);
}

/** Everything that was committed is there, once, in one chain; returns the entries' ids. */
async function judge({ folder, session, log, driver }: Scene): Promise<readonly string[]> {
  const repository = createSqliteRepository({ folder, driver });
  const store = await repository.open(session);
  const entries = await store.load();
  expect(store.damage).toEqual([]);
  expect((await repository.check()).isSound).toBe(true);
  await repository.close();
  const ids = entries.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.map(({ parent }) => parent)).toEqual([null, ...ids].slice(0, ids.length));
  const did = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("did "));
  expect(did.filter((line) => !ids.includes(line.split(" ")[1] ?? ""))).toEqual([]);
  return ids;
}

/** A process that is stopped inside a transaction keeps the file; it is let on for a moment until it is stopped outside. */
async function stopUntil(first: Contender, isDone: () => boolean): Promise<void> {
  first.child.kill("SIGSTOP");
  for (const until = Date.now() + 60_000; Date.now() < until && !isDone(); ) {
    const next = Date.now() + STALE_MS + 4 * HEARTBEAT_MS + 2_000;
    while (Date.now() < next && !isDone()) await delay(20);
    if (isDone()) return;
    first.child.kill("SIGCONT");
    await delay(Math.random() * 100);
    first.child.kill("SIGSTOP");
  }
}

async function stopAndWake(driver: DriverName): Promise<void> {
  const scene = await newScene(driver);
  const first = contender(scene, 200);
  await first.says("wrote");
  const second = contender(scene, 200);
  expect((await second.says("locked")).holder).toBe(first.child.pid);
  await stopUntil(first, () => second.has("wrote"));
  await second.says("wrote");
  first.child.kill("SIGCONT");
  expect(await first.says("stopped")).toMatchObject({ kind: "overtaken" });
  await first.ended;
  await second.kill();
  // One chain without a fork is the proof that the first one added nothing after the second began.
  await judge(scene);
  rmSync(scene.folder, { recursive: true, force: true });
}

describe.each(drivers)("two processes on one session through %s", (driver) => {
  it(`take turns by kill -9, ${ROUNDS} times, without a lost or a mixed entry`, {
    timeout: 600_000,
  }, async () => {
    const scene = await newScene(driver);
    let owner = contender(scene);
    await owner.says("wrote");
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = contender(scene);
      const locked = await next.says("locked");
      expect(locked).toMatchObject({ kind: "locked", holder: owner.child.pid });
      expect(locked.message).toContain(`${owner.child.pid} since 20`);
      expect(locked.since).toBeGreaterThan(Date.now() - 120_000);
      await owner.kill();
      const killedAt = Date.now();
      await next.says("owner");
      expect(Date.now() - killedAt).toBeLessThan(BOUND_MS);
      owner = next;
      await owner.says("wrote");
    }
    await owner.kill();
    expect((await judge(scene)).length).toBeGreaterThan(ROUNDS * 3);
    rmSync(scene.folder, { recursive: true, force: true });
  });

  it("give a stopped owner up after its time, and what it writes when it wakes up is nowhere", {
    timeout: 200_000,
  }, async () => {
    // Most of it is waiting, so all rounds at once.
    await Promise.all(Array.from({ length: 3 }, () => stopAndWake(driver)));
  });

  it("agree on one owner when many want the session of a dead one at once", {
    timeout: 120_000,
  }, async () => {
    const scene = await newScene(driver);
    const first = contender(scene);
    await first.says("wrote");
    const rivals = Array.from({ length: 4 }, () => contender(scene));
    await Promise.all(rivals.map((rival) => rival.says("locked")));
    let owner = first;
    for (let left = rivals.length; left > 0; left -= 1) {
      await owner.kill();
      const living = rivals.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      owner = await Promise.race(living.map((rival) => rival.says("wrote").then(() => rival)));
    }
    await owner.kill();
    await judge(scene);
    rmSync(scene.folder, { recursive: true, force: true });
  });
});
