import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreFixture } from "@ashlar/context/testing";
import { createSqliteRepository, type DriverName, type SqliteRepository } from "@ashlar/session-sqlite";
import { chooseDriver } from "../../src/driver/choose-driver.js";
import type { SqlConnection } from "../../src/driver/driver.js";
import { createNodeDriver } from "../../src/driver/node-driver.js";
import { thisOwner } from "../../src/process/owner.js";

/** Those that this Node has. */
export const drivers: readonly DriverName[] = [
  ...(createNodeDriver() === undefined ? [] : (["node:sqlite"] as const)),
  "node-sqlite3-wasm",
];

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "ashlar-sqlite-"));
}

export function databaseIn(folder: string): string {
  return join(folder, "sessions.db");
}

/** Works on the database behind the repository's back, while nobody else has it. */
export async function tamper(
  folder: string,
  driver: DriverName,
  change: (connection: SqlConnection) => void,
): Promise<void> {
  const connection = (await chooseDriver(driver)).open(databaseIn(folder), { isLenient: true });
  try {
    change(connection);
  } finally {
    connection.close();
  }
}

/** The signature of a process that has ended. */
export function deadOwner(): string {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  return JSON.stringify({ ...thisOwner("dead"), pid, start: "1" });
}

/** The folder as a kill at this moment leaves it, in another place: committed data, and holds of a process that is gone. */
async function crashedCopy(folder: string, driver: DriverName): Promise<string> {
  const copy = temporaryFolder();
  for (const suffix of ["", ...(driver === "node:sqlite" ? ["-wal"] : [])]) {
    cpSync(databaseIn(folder) + suffix, databaseIn(copy) + suffix);
  }
  await tamper(copy, driver, (connection) => connection.run("UPDATE holds SET owner = ?", deadOwner()));
  return copy;
}

/** `alter` changes the database before anything is kept in it. */
export async function createFixture(driver: DriverName, alter?: string): Promise<StoreFixture> {
  const folder = temporaryFolder();
  if (alter !== undefined) {
    const repository = createSqliteRepository({ folder, driver });
    await repository.list();
    await repository.close();
    await tamper(folder, driver, (connection) => connection.exec(alter));
  }
  const folders = [folder];
  const repositories: SqliteRepository[] = [];
  const open = (place: string): SqliteRepository => {
    const repository = createSqliteRepository({ folder: place, driver });
    repositories.push(repository);
    return repository;
  };
  return {
    repository: open(folder),
    openSecond: async () => open(folder),
    crash: async () => {
      const copy = await crashedCopy(folder, driver);
      folders.push(copy);
      return open(copy);
    },
    damage: async (session, seq) =>
      tamper(folder, driver, (connection) =>
        connection.run(
          "UPDATE entries SET body = substr(body, 1, 20) || '{{' WHERE seq = ? AND session = (SELECT key FROM sessions WHERE id = ?)",
          seq,
          session,
        ),
      ),
    dispose: async () => {
      for (const each of repositories) await each.close();
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    },
  };
}
