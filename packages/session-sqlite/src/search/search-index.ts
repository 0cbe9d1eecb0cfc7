import { setImmediate as nextTurn } from "node:timers/promises";
import { isSessionError } from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import type { SqlConnection } from "../driver/driver.js";

const ROWS_AT_ONCE = 32;
const CHARACTERS_AT_ONCE = 64 * 1024;

export interface AdvanceOptions {
  /** Default: until everything is in the index. */
  readonly budgetMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Takes texts into the index that are not there yet, in short transactions. Where nothing can be written it does nothing. */
export async function advanceIndex(
  database: SessionDatabase,
  { budgetMs = Number.POSITIVE_INFINITY, signal }: AdvanceOptions,
): Promise<void> {
  const until = performance.now() + budgetMs;
  try {
    if (!(await database.read(hasMore))) return;
    while (performance.now() < until && (await database.write(takeSome))) {
      await nextTurn();
      signal?.throwIfAborted();
    }
  } catch (error) {
    if (!isSessionError(error)) throw error;
    // The index can be made anew from the texts.
    if (error.kind === "damaged") await database.write(resetIndex);
    else if (!WITHOUT_INDEX.includes(error.kind)) throw error;
  }
}

/** A search works without the index, so these are no reason for it to fail. */
const WITHOUT_INDEX: readonly string[] = ["readonly", "storage", "version"];

export function indexedPosition(connection: SqlConnection): number {
  const [row] = connection.all("SELECT value FROM marks WHERE name = 'indexed'");
  return Number(row?.value ?? 0);
}

/** Empties the index; the texts stay. */
export function resetIndex(connection: SqlConnection): void {
  connection.exec("INSERT INTO pieces (pieces) VALUES ('delete-all')");
  connection.run("UPDATE marks SET value = 0 WHERE name = 'indexed'");
}

function hasMore(connection: SqlConnection): boolean {
  return (
    connection.all("SELECT 1 FROM texts WHERE position > ? LIMIT 1", indexedPosition(connection)).length > 0
  );
}

/** False when there was nothing left. */
function takeSome(connection: SqlConnection): boolean {
  const rows = connection.all(
    "SELECT position, folded FROM texts WHERE position > ? ORDER BY position LIMIT ?",
    indexedPosition(connection),
    ROWS_AT_ONCE,
  );
  let characters = 0;
  for (const { position, folded } of rows) {
    const text = String(folded);
    connection.run("INSERT INTO pieces (rowid, folded) VALUES (?, ?)", Number(position), text);
    connection.run("UPDATE marks SET value = ? WHERE name = 'indexed'", Number(position));
    characters += text.length;
    if (characters > CHARACTERS_AT_ONCE) break;
  }
  return rows.length > 0;
}
