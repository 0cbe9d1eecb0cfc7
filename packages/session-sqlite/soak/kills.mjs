#!/usr/bin/env node
// node soak/kills.mjs COUNT [DRIVER]: kills a writer with -9 at random moments; after each kill every committed entry has
// to be there, nothing may be invented, and no fork may be half. Prints counts as one JSON line; exits 1 at the first
// offence.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Context, forkEnd, isPathEntry } from "@ashlar/context";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { fingerprint, notesIn } from "./commit-log.mjs";

const count = Number(process.argv[2] ?? 100);
const driver = process.argv[3];
const here = fileURLToPath(import.meta.url);
const writer = join(dirname(here), `writer${extname(here)}`);
/** A session that was killed this often is left for a new one, so that a long soak does not slow down. */
const KILLS_PER_SESSION = 40;

const totals = { kills: 0, entries: 0, committed: 0, leftovers: 0, forks: 0, compactions: 0 };

function expectThat(holds, what) {
  if (!holds) throw new Error(what);
}

async function killOnce({ folder, session, logFile }) {
  const argumentsOf = [writer, folder, session, logFile, ...(driver === undefined ? [] : [driver])];
  const child = spawn(process.execPath, argumentsOf, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  const first = await Promise.race([new Promise((resolve) => child.stdout.once("data", resolve)), ended]);
  expectThat(first.signal === undefined, `the writer ended by itself: ${JSON.stringify(first)}`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 80));
  child.kill("SIGKILL");
  const { signal } = await ended;
  expectThat(signal === "SIGKILL", `the writer ended before it was killed: ${signal}`);
}

async function judge({ folder, session, logFile, beside }) {
  const file = join(folder, "sessions.db");
  const isLeft = (suffix) => existsSync(file + suffix) && statSync(file + suffix).size > 0;
  totals.leftovers += ["-journal", "-wal"].some(isLeft) ? 1 : 0;
  const repository = createSqliteRepository({ folder, driver });
  const store = await repository.open(session);
  const entries = await store.load();
  const found = entries.map(fingerprint);
  const there = new Set(found);
  const { will, did } = notesIn(logFile);
  expectThat(there.size === found.length, "an entry is there twice");
  for (const each of did) expectThat(there.has(each), `a committed entry is lost: ${each}`);
  for (const each of found) expectThat(will.has(each), `an entry was invented: ${each}`);
  for (const [index, { id, seq }] of entries.entries())
    expectThat(seq === index + 1, `entry ${id} has seq ${seq}`);
  const [lean, whole] = [await Context.open({ store }), await Context.open({ store, whole: true })];
  expectThat(
    JSON.stringify(lean) === JSON.stringify(whole),
    "a lean open shows something else than a whole one",
  );
  await store.close();
  const report = await repository.check();
  expectThat(report.isSound, `not sound: ${JSON.stringify(report)}`);
  await judgeForks(repository, { entries, known: [session, beside] });
  await repository.close();
  return {
    entries: entries.length,
    committed: did.size,
    compactions: entries.filter(({ kind }) => kind === "compaction").length,
  };
}

/** A fork holds the way to the entry where it was made, as the session has it; nothing when that was at the root. */
async function checkFork({ info, load }, source) {
  const entry = info.parent?.entry;
  const way = entry === undefined ? new Set() : (await forkEnd(source, { entry })).taken;
  const found = (await load()).filter(isPathEntry).map(({ id }) => id);
  const isWhole = found.length === way.size && found.every((id) => way.has(id));
  expectThat(isWhole, `half a fork: ${found.length} entries of ${way.size}`);
}

async function judgeForks(repository, { entries, known }) {
  const forks = (await repository.list({ limit: 1_000 })).filter(({ id }) => !known.includes(id));
  for (const { id } of forks) {
    const store = await repository.open(id, { readonly: true });
    await Context.open({ store });
    await checkFork(store, entries);
    expectThat(store.damage.length === 0, `a damaged fork: ${store.damage[0]?.message}`);
    await store.close();
    expectThat(await repository.delete(id), "a fork is in the list and cannot be deleted");
  }
  totals.forks += forks.length;
}

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "ashlar-kills-"));
  const repository = createSqliteRepository({ folder, driver });
  const [session, beside] = [(await repository.create()).info.id, (await repository.create()).info.id];
  await repository.close();
  return { folder, session, beside, logFile: join(folder, "log.txt") };
}

async function soak() {
  for (let left = count; left > 0; left -= KILLS_PER_SESSION) {
    const place = await start();
    let last = {};
    for (let kill = 0; kill < Math.min(left, KILLS_PER_SESSION); kill += 1) {
      await killOnce(place);
      last = await judge(place);
      totals.kills += 1;
      if (totals.kills % 100 === 0 && totals.kills < count)
        console.error(`${totals.kills} of ${count} kills so far`);
    }
    for (const [key, value] of Object.entries(last)) totals[key] += value;
    rmSync(place.folder, { recursive: true, force: true });
  }
}

try {
  await soak();
  console.log(JSON.stringify(totals));
} catch (error) {
  console.error(`after ${totals.kills} kills: ${error.stack}`);
  process.exitCode = 1;
}
