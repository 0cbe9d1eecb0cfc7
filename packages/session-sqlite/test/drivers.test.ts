import { spawnSync } from "node:child_process";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf } from "../src/database/failure.js";
import { chooseDriver } from "../src/driver/choose-driver.js";
import { databaseIn, drivers, temporaryFolder } from "./support/fixture.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const wasm = createRequire(import.meta.url).resolve("node-sqlite3-wasm");

const HALF_DONE = `
  const { Database } = require(${JSON.stringify(wasm)});
  const database = new Database(process.argv[1]);
  database.exec("PRAGMA cache_size = 10; BEGIN IMMEDIATE");
  database.exec("UPDATE sessions SET name = 'half ' || id || hex(randomblob(9000))");
  process.kill(process.pid, "SIGKILL");
`;

describe("node-sqlite3-wasm", () => {
  it("takes back a transaction that had reached the file when its process was killed", async () => {
    const before = createSqliteRepository({ folder, driver: "node-sqlite3-wasm" });
    for (let index = 0; index < 20; index += 1)
      await (await before.create({ id: `s${index}`, name: "whole" })).close();
    await before.close();
    const { signal } = spawnSync(process.execPath, ["-e", HALF_DONE, databaseIn(folder)]);
    expect(signal).toBe("SIGKILL");
    expect(statSync(`${databaseIn(folder)}-journal`).size).toBeGreaterThan(0);
    expect(existsSync(`${databaseIn(folder)}.lock`)).toBe(true);
    const after = createSqliteRepository({ folder, driver: "node-sqlite3-wasm" });
    const names = (await after.list({ limit: 100 })).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 20 }, () => "whole"));
    expect(await after.check()).toMatchObject({ isSound: true });
    await after.close();
    expect(existsSync(`${databaseIn(folder)}.lock`)).toBe(false);
  });
});

describe.each(drivers)("%s", (name) => {
  it.each([
    {
      why: "a file that is no database",
      sql: "SELECT 1 FROM sqlite_schema",
      failure: "foreign",
      isForeign: true,
    },
    {
      why: "a statement that makes no sense",
      sql: "SELECT FROM nowhere",
      failure: "other",
      isForeign: false,
    },
  ])("says what failed: $why", async ({ sql, failure, isForeign }) => {
    const file = databaseIn(folder);
    if (isForeign) writeFileSync(file, "no database ".repeat(400));
    const driver = await chooseDriver(name);
    const connection = driver.open(file);
    let came: unknown;
    try {
      connection.all(sql);
    } catch (error) {
      came = failureOf(error);
    } finally {
      connection.close();
    }
    expect(came).toBe(failure);
  });

  it("refuses a folder that is no folder with the path", async () => {
    const repository = createSqliteRepository({ folder: join(process.execPath, "below"), driver: name });
    await expect(repository.list()).rejects.toMatchObject({
      kind: "storage",
      message: expect.stringContaining(process.execPath),
    });
    await repository.close();
  });
});

describe("the driver that is chosen", () => {
  it("is Node's own where there is one, and nothing of it reaches the terminal", async () => {
    const program = join(folder, "program.mjs");
    await build({
      stdin: {
        contents: `
          import { chooseDriver } from "./src/driver/choose-driver.ts";
          const { name } = await chooseDriver();
          process.emitWarning("of the host");
          console.log(name);`,
        resolveDir: join(import.meta.dirname, ".."),
      },
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { "node-sqlite3-wasm": wasm },
      external: [wasm],
    });
    const { stdout, stderr } = spawnSync(process.execPath, [program], {
      encoding: "utf8",
      cwd: join(import.meta.dirname, ".."),
    });
    expect(stdout.trim()).toBe(drivers[0]);
    expect(stderr).not.toContain("ExperimentalWarning");
    expect(stderr).toContain("of the host");
  });
});
