#!/usr/bin/env node
// node soak/kills.mjs COUNT: kills a writer with -9 at random moments; after each kill every committed entry has to be
// there, nothing may be invented, and no fork may be half. Prints counts as one JSON line; exits 1 at the first offence.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Context, forkEnd, isPathEntry } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { fingerprint } from "./logged-store.mjs";

const count = Number(process.argv[2] ?? 100);
const here = fileURLToPath(import.meta.url);
const writer = join(dirname(here), `writer${extname(here)}`);
/** A session that has grown this far is left for a new one, so that a long soak does not slow down. */
const KILLS_PER_SESSION = 40;

const totals = { kills: 0, entries: 0, committed: 0, tornTails: 0, forks: 0, compactions: 0 };

function check(holds, what) {
  if (!holds) throw new Error(what);
}

async function killOnce(folder, session, logFile) {
  const child = spawn(process.execPath, [writer, folder, session, logFile], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  const ready = new Promise((resolve) => child.stdout.once("data", resolve));
  const early = await Promise.race([ready, ended]);
  check(early.code === undefined, `the writer ended by itself: ${JSON.stringify(early)}`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  child.kill("SIGKILL");
  const { signal } = await ended;
  check(signal === "SIGKILL", `the writer ended before it was killed: ${signal}`);
}

function logOf(logFile) {
  const said = { will: new Set(), did: new Set() };
  for (const line of readFileSync(logFile, "utf8").split("\n").slice(0, -1)) {
    const space = line.indexOf(" ");
    said[line.slice(0, space)].add(line.slice(space + 1));
  }
  return said;
}

async function judge(repository, session, logFile) {
  const store = await repository.open(session);
  const entries = await store.load();
  const found = entries.map(fingerprint);
  const { will, did } = logOf(logFile);
  const there = new Set(found);
  check(there.size === found.length, "an entry is there twice");
  for (const each of did) check(there.has(each), `a committed entry is lost: ${each}`);
  for (const each of found) check(will.has(each), `an entry was invented: ${each}`);
  for (const [index, { id, seq }] of entries.entries())
    check(seq === index + 1, `entry ${id} has seq ${seq}`);
  const context = await Context.open({ store });
  const whole = await Context.open({ store, whole: true });
  check(
    JSON.stringify(context) === JSON.stringify(whole),
    "a lean open shows something else than a whole one",
  );
  const wrong = store.damage.find(({ reason }) => reason !== "torn");
  check(wrong === undefined, `damage: ${wrong?.message}`);
  totals.tornTails += store.damage.length > 0 ? 1 : 0;
  await store.close();
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
  check(isWhole, `half a fork: ${found.length} entries of ${way.size}`);
}

async function judgeForks(repository, folder, session) {
  const source = await repository.open(session, { readonly: true });
  const entries = await source.load();
  await source.close();
  const forks = readdirSync(folder).filter((name) => name.endsWith(".jsonl") && name !== `${session}.jsonl`);
  for (const name of forks) {
    const store = await repository.open(name.slice(0, -".jsonl".length), { readonly: true });
    await Context.open({ store });
    await checkFork(store, entries);
    check(store.damage.length === 0, `a damaged fork: ${store.damage[0]?.message}`);
    await store.close();
    rmSync(join(folder, name));
  }
  totals.forks += forks.length;
}

async function soak() {
  for (let left = count; left > 0; left -= KILLS_PER_SESSION) {
    const folder = mkdtempSync(join(tmpdir(), "ashlar-kills-"));
    const logFile = join(folder, "log.txt");
    const repository = createJsonlRepository({ folder });
    const store = await repository.create();
    const session = store.info.id;
    await store.close();
    let last;
    for (let kill = 0; kill < Math.min(left, KILLS_PER_SESSION); kill += 1) {
      await killOnce(folder, session, logFile);
      last = await judge(repository, session, logFile);
      await judgeForks(repository, folder, session);
      totals.kills += 1;
      if (totals.kills % 100 === 0 && totals.kills < count)
        console.error(`${totals.kills} of ${count} kills so far`);
    }
    for (const [key, value] of Object.entries(last ?? {})) totals[key] += value;
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await soak();
  console.log(JSON.stringify(totals));
} catch (error) {
  console.error(`after ${totals.kills} kills: ${error.stack}`);
  process.exitCode = 1;
}
