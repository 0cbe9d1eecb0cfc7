import type { SessionDamage } from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import { failureOf } from "../database/failure.js";
import type { SqlConnection } from "../driver/driver.js";
import { readMended } from "../session/entry-reader.js";
import { listRows } from "../session/session-row.js";

export interface CheckedSession {
  readonly id: string;
  /** Entries that can be read. */
  readonly entries: number;
  readonly damage: readonly SessionDamage[];
}

/** What a look at everything found. */
export interface CheckReport {
  /** True when nothing is wrong. */
  readonly isSound: boolean;
  /** What SQLite finds wrong with the file, in its own words; at most 100. */
  readonly problems: readonly string[];
  readonly sessions: readonly CheckedSession[];
}

/** Looks at the file and at every session; changes nothing. */
export async function checkDatabase(database: SessionDatabase): Promise<CheckReport> {
  const problems = await database.read(problemsOf);
  const rows = await database.read((connection) => listRows(connection, { cwd: undefined, limit: -1 }));
  const sessions: CheckedSession[] = [];
  for (const { key, info } of rows) {
    const damage: SessionDamage[] = [];
    let entries = 0;
    const options = { database, key, id: info.id, report: (found: SessionDamage) => damage.push(found) };
    for await (const _ of readMended(options)) entries += 1;
    sessions.push({ id: info.id, entries, damage });
  }
  const isSound = problems.length === 0 && sessions.every(({ damage }) => damage.length === 0);
  return { isSound, problems, sessions };
}

function problemsOf(connection: SqlConnection): readonly string[] {
  try {
    const rows = connection.all("PRAGMA integrity_check");
    return rows.map((row) => String(row.integrity_check)).filter((text) => text !== "ok");
  } catch (error) {
    if (failureOf(error) !== "corrupt") throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}
