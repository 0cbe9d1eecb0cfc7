import type { SessionEntry, SessionInfo } from "@ashlar/context";
import { SessionError } from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import type { SqlConnection } from "../driver/driver.js";
import { findRow, insertRow } from "./session-row.js";
import { infoWith, insertEntry, updateRow } from "./sqlite-store.js";

const ENTRIES_AT_ONCE = 256;

/**
 * Writes a new session from a stream of entries, a batch at a time. Nobody sees it before it is whole; what a crash
 * leaves of one is cleared away later. Rejects with kind `exists` for an id that is taken.
 */
export async function copySession(
  database: SessionDatabase,
  info: SessionInfo,
  entries: AsyncIterable<SessionEntry>,
): Promise<SessionInfo> {
  const key = await database.write((connection) => {
    checkFree(connection, info.id);
    return insertRow(connection, { ...info, id: null });
  });
  let [known, seq] = [info, 0];
  const commit = async (batch: readonly SessionEntry[]): Promise<void> => {
    await database.write((connection) => {
      for (const entry of batch) insertEntry(connection, key, entry, JSON.stringify(entry));
    });
    known = infoWith(known, batch);
    seq = batch.at(-1)?.seq ?? seq;
  };
  let batch: SessionEntry[] = [];
  try {
    for await (const entry of entries) {
      batch.push(entry);
      if (batch.length < ENTRIES_AT_ONCE) continue;
      await commit(batch);
      batch = [];
    }
    await commit(batch);
    await database.write(
      (connection) => {
        checkFree(connection, info.id);
        updateRow(connection, key, known, seq);
        connection.run("UPDATE sessions SET id = ? WHERE key = ?", info.id, key);
      },
      { durable: true },
    );
  } catch (error) {
    // The reason of the failure says more than a failure to clear up after it.
    await database.write((connection) => removeSession(connection, key)).catch(() => undefined);
    throw error;
  }
  return known;
}

export function checkFree(connection: SqlConnection, id: string): void {
  if (findRow(connection, id) !== undefined)
    throw new SessionError("exists", `there is a session ${id} already`, { id });
}

const UNFINISHED_MS = 3_600_000;

/** Takes away copies that a crash left unfinished. */
export function clearUnfinished(connection: SqlConnection, now: number): void {
  const rows = connection.all(
    "SELECT key FROM sessions WHERE id IS NULL AND created < ?",
    now - UNFINISHED_MS,
  );
  for (const { key } of rows) removeSession(connection, Number(key));
}

/** Takes a session away with everything that was said in it, the pieces in the index too. */
export function removeSession(connection: SqlConnection, key: number): void {
  const own = "SELECT position FROM entries WHERE session = ?";
  connection.run(
    `DELETE FROM pieces WHERE rowid IN (${own} AND position <= (SELECT value FROM marks WHERE name = 'indexed'))`,
    key,
  );
  connection.run(`DELETE FROM texts WHERE position IN (${own})`, key);
  connection.run("DELETE FROM entries WHERE session = ?", key);
  connection.run("DELETE FROM holds WHERE session = ?", key);
  connection.run("DELETE FROM sessions WHERE key = ?", key);
}
