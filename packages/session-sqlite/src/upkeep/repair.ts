import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { type SessionDamage, SessionError } from "@ashlar/context";
import { SessionDatabase } from "../database/database.js";
import type { SqliteDriver } from "../driver/driver.js";
import { copySession } from "../session/copy-session.js";
import { readMended } from "../session/entry-reader.js";
import { listRows } from "../session/session-row.js";

/** What a repair did. */
export interface RepairReport {
  readonly sessions: number;
  /** Entries that there are now. */
  readonly entries: number;
  /** What was wrong, by place in the original. */
  readonly damage: readonly SessionDamage[];
  /** The original, as it was. */
  readonly backup: string;
}

/**
 * Makes a new database of everything that can be read and puts it in place in one step; the original is kept beside it.
 * `database` is closed by it. Rejects with kind `storage` while another process has the file.
 */
export async function repairDatabase(
  database: SessionDatabase,
  driver: SqliteDriver,
  busyMs: number,
): Promise<RepairReport> {
  const { file } = database;
  const rows = await database.read((connection) => listRows(connection, { cwd: undefined, limit: -1 }));
  checkAlone(database);
  const staged = `${file}-repaired-${randomUUID()}`;
  const target = new SessionDatabase({ file: staged, driver, busyMs });
  const damage: SessionDamage[] = [];
  let entries = 0;
  try {
    for (const { key, info } of rows) {
      const source = readMended({ database, key, id: info.id, report: (found) => damage.push(found) });
      await copySession(
        target,
        info,
        counted(source, () => (entries += 1)),
      );
    }
    await target.read((connection) => connection.all("PRAGMA wal_checkpoint(TRUNCATE)"));
    checkAlone(database);
    target.close();
    database.close();
    return { sessions: rows.length, entries, damage, backup: replace(file, staged) };
  } finally {
    target.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(staged + suffix, { force: true });
    rmSync(`${staged}-users`, { recursive: true, force: true });
  }
}

function checkAlone(database: SessionDatabase): void {
  const other = database.other();
  if (other === undefined) return;
  throw new SessionError(
    "storage",
    `${database.file} is open in the process ${other.pid}; close it there before a repair`,
    { code: "EBUSY" },
  );
}

async function* counted<Value>(
  values: AsyncIterable<Value>,
  count: () => void,
): AsyncGenerator<Value, void, undefined> {
  for await (const value of values) {
    count();
    yield value;
  }
}

/** Returns the name under which the original is kept. */
function replace(file: string, staged: string): string {
  let backup = `${file}.damaged`;
  for (let count = 2; existsSync(backup); count += 1) backup = `${file}.damaged-${count}`;
  linkSync(file, backup);
  for (const suffix of ["-wal", "-journal"]) {
    if (!existsSync(file + suffix)) continue;
    copyFileSync(file + suffix, backup + suffix);
    rmSync(file + suffix);
  }
  rmSync(`${file}-shm`, { force: true });
  renameSync(staged, file);
  return backup;
}
