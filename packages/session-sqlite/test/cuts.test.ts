import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Context, contentText, isMessage, messageUser } from "@ashlar/context";
import { createSqliteRepository, type DriverName } from "@ashlar/session-sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseIn, drivers, temporaryFolder } from "./support/fixture.js";
import { buildPrograms, type Programs } from "./support/programs.js";

const STEPS = 6;
const texts = Array.from({ length: STEPS }, (_, index) => `text ${index + 1} é🙂`);

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.dispose());

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Step {
  readonly entries: number;
  readonly logBytes: number;
}

/** A writer that committed each text by itself and was killed. */
function killedWriter(driver: DriverName): readonly Step[] {
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    [programs.path("steps"), folder, "s", driver, String(STEPS)],
    { encoding: "utf8" },
  );
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Opens a copy in which one file is cut, and writes to it. */
async function textsAfterCut(
  driver: DriverName,
  suffix: string,
  bytes: Uint8Array,
): Promise<readonly string[]> {
  const copy = temporaryFolder();
  cpSync(databaseIn(folder), databaseIn(copy));
  writeFileSync(databaseIn(copy) + suffix, bytes);
  const repository = createSqliteRepository({ folder: copy, driver });
  try {
    const store = await repository.open("s");
    const context = await Context.open({ store });
    const found = context.items().filter(isMessage).map(contentText);
    context.append(messageUser("more"), { merge: false });
    await context.flush();
    expect(await store.load()).toHaveLength(found.length + 1);
    expect(store.damage).toEqual([]);
    return found;
  } finally {
    await repository.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

const PAGE_BYTES = 4096;
const FRAME_HEAD_BYTES = 24;
const LOG_HEAD_BYTES = 32;

/** Each byte of a frame's head and its last ones; of the page between them, which is whole or not, one in 509. */
function isWorthACut(at: number): boolean {
  const inFrame = (at - LOG_HEAD_BYTES) % (FRAME_HEAD_BYTES + PAGE_BYTES);
  return inFrame <= FRAME_HEAD_BYTES || inFrame > FRAME_HEAD_BYTES + PAGE_BYTES - 4 || at % 509 === 0;
}

describe.runIf(drivers.includes("node:sqlite"))("the log of node:sqlite", () => {
  it("may be cut anywhere in the last three commits", { timeout: 240_000 }, async () => {
    const steps = killedWriter("node:sqlite");
    const log = readFileSync(`${databaseIn(folder)}-wal`);
    const from = steps.at(-4)?.logBytes ?? 0;
    expect(log.length - from).toBeGreaterThan(3 * PAGE_BYTES);
    for (let cut = from; cut <= log.length; cut += 1) {
      if (!isWorthACut(cut) && cut !== log.length) continue;
      const kept = steps.findLast(({ logBytes }) => logBytes <= cut)?.entries;
      expect(await textsAfterCut("node:sqlite", "-wal", log.subarray(0, cut)), `${cut} bytes`).toEqual(
        texts.slice(0, kept),
      );
    }
  });
});

const wasm = createRequire(import.meta.url).resolve("node-sqlite3-wasm");
const HALF_DONE = `
  const { Database } = require(${JSON.stringify(wasm)});
  const database = new Database(process.argv[1]);
  database.exec("BEGIN IMMEDIATE; DELETE FROM entries; UPDATE sessions SET name = 'half done'");
  process.kill(process.pid, "SIGKILL");
`;

describe("the journal of node-sqlite3-wasm", () => {
  it("may be cut anywhere in a change that had not reached the database", { timeout: 240_000 }, async () => {
    killedWriter("node-sqlite3-wasm");
    rmSync(`${databaseIn(folder)}.lock`, { recursive: true, force: true });
    const { signal } = spawnSync(process.execPath, ["-e", HALF_DONE, databaseIn(folder)]);
    expect(signal).toBe("SIGKILL");
    const journal = readFileSync(`${databaseIn(folder)}-journal`);
    expect(journal.length).toBeGreaterThan(PAGE_BYTES);
    for (let cut = 0; cut <= journal.length; cut += cut < 64 ? 1 : 251) {
      expect(
        await textsAfterCut("node-sqlite3-wasm", "-journal", journal.subarray(0, cut)),
        `${cut} bytes`,
      ).toEqual(texts);
    }
    expect(await textsAfterCut("node-sqlite3-wasm", "-journal", journal)).toEqual(texts);
  });
});
