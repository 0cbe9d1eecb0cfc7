import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type EntryKind,
  EntryMender,
  isEntry,
  type LogQuery,
  type SessionDamage,
  type SessionEntry,
} from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import { failureOf } from "../database/failure.js";
import type { SqlConnection, SqlRow, SqlValue } from "../driver/driver.js";

export interface ReadOptions {
  readonly database: SessionDatabase;
  readonly key: number;
  readonly id: string;
  readonly report: (damage: SessionDamage) => void;
}

const ROWS_AT_ONCE = 128;

/** All entries of a session as they were when it began, mended, a page at a time. */
export async function* readMended({
  database,
  key,
  id,
  report,
}: ReadOptions): AsyncGenerator<SessionEntry, void, undefined> {
  const mender = new EntryMender(report);
  const end = await database.read((connection) => lastPosition(connection, key));
  let after = 0;
  while (after < end) {
    const page = await database.read((connection) => readPage(connection, { key, after, end }));
    after = page.next;
    for (const { position, body, problem } of page.rows) {
      const at = (): string => placeOf(database.file, id, position);
      const value = problem === undefined ? parseBody(body) : { problem };
      if ("problem" in value)
        report({ reason: "unreadable", at: at(), message: `${at()}: ${value.problem}; it was passed over` });
      else yield* mender.add(value.json, at);
    }
    // Reading a page is synchronous; what else the process has to do comes in between.
    if (after < end) await nextTurn();
  }
  yield* mender.end();
}

/** The entries that a query names, found by their columns. Damage is passed over, since a whole pass reports it. */
export async function* readSelected(
  { database, key }: ReadOptions,
  { afterSeq = 0, kinds, lane }: LogQuery,
): AsyncGenerator<SessionEntry, void, undefined> {
  const end = await database.read((connection) => lastPosition(connection, key));
  let [after, seq] = [0, afterSeq];
  for (;;) {
    const rows = await database.read((connection) =>
      selectPage(connection, { key, after, end, seq: afterSeq, kinds, lane }),
    );
    for (const { position, body } of rows) {
      after = Number(position);
      const value = parseBody(body);
      if ("problem" in value || !isEntry(value.json) || value.json.seq <= seq) continue;
      seq = value.json.seq;
      yield value.json;
    }
    if (rows.length < ROWS_AT_ONCE) return;
    await nextTurn();
  }
}

interface Page {
  readonly rows: readonly PageRow[];
  /** The last position that was looked at. */
  readonly next: number;
}

interface PageRow {
  readonly position: number;
  readonly body: unknown;
  /** Why the database could not give it. */
  readonly problem?: string;
}

interface Span {
  readonly key: number;
  readonly after: number;
  readonly end: number;
}

const PAGE =
  "SELECT position, body FROM entries WHERE session = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?";

function readPage(connection: SqlConnection, span: Span): Page {
  const rows = unlessCorrupt(() =>
    connection.all(PAGE, span.key, span.after, span.end, ROWS_AT_ONCE).map(pageRow),
  );
  if (rows === undefined) return readSingly(connection, span);
  const last = rows.at(-1);
  return { rows, next: rows.length < ROWS_AT_ONCE || last === undefined ? span.end : last.position };
}

/** Around a damaged page of the file: each row by itself. */
function readSingly(connection: SqlConnection, span: Span): Page {
  const positions = positionsIn(connection, span);
  const rows = positions.flatMap((position): readonly PageRow[] => {
    const row = unlessCorrupt(() =>
      connection.all("SELECT position, body, session FROM entries WHERE position = ?", position),
    );
    if (row === undefined) {
      return [
        { position, body: undefined, problem: "the page of the file that may hold an entry is damaged" },
      ];
    }
    return row.filter(({ session }) => session === span.key).map(pageRow);
  });
  return { rows, next: positions.length < ROWS_AT_ONCE ? span.end : (positions.at(-1) ?? span.end) };
}

/** Where entries of the session are; where the index is damaged too, all positions that there can be. */
function positionsIn(connection: SqlConnection, { key, after, end }: Span): readonly number[] {
  const sql =
    "SELECT position FROM entries WHERE session = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?";
  const indexed = unlessCorrupt(() => connection.all(sql, key, after, end, ROWS_AT_ONCE));
  if (indexed !== undefined) return indexed.map(({ position }) => Number(position));
  return Array.from({ length: Math.min(ROWS_AT_ONCE, end - after) }, (_, index) => after + 1 + index);
}

function unlessCorrupt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (failureOf(error) === "corrupt") return undefined;
    throw error;
  }
}

function pageRow({ position, body }: SqlRow): PageRow {
  return { position: Number(position), body };
}

interface Selection extends Span {
  readonly seq: number;
  readonly kinds: readonly EntryKind[] | undefined;
  readonly lane: string | undefined;
}

function selectPage(
  connection: SqlConnection,
  { key, after, end, seq, kinds, lane }: Selection,
): readonly SqlRow[] {
  const terms: string[] = ["session = ?", "position > ?", "position <= ?", "seq > ?"];
  const values: SqlValue[] = [key, after, end, seq];
  if (kinds !== undefined) {
    terms.push(`kind IN (${kinds.map(() => "?").join(", ")})`);
    values.push(...kinds);
  }
  if (lane !== undefined) {
    terms.push("lane = ?");
    values.push(lane);
  }
  const sql = `SELECT position, body FROM entries WHERE ${terms.join(" AND ")} ORDER BY position LIMIT ?`;
  return connection.all(sql, ...values, ROWS_AT_ONCE);
}

function lastPosition(connection: SqlConnection, key: number): number {
  const rows =
    unlessCorrupt(() =>
      connection.all("SELECT position FROM entries WHERE session = ? ORDER BY position DESC LIMIT 1", key),
    ) ?? connection.all("SELECT seq AS position FROM sqlite_sequence WHERE name = 'entries'");
  return Number(rows[0]?.position ?? 0);
}

function parseBody(body: unknown): { readonly json: unknown } | { readonly problem: string } {
  if (typeof body !== "string") return { problem: "the entry is no text" };
  try {
    return { json: JSON.parse(body) };
  } catch (error) {
    return { problem: `the entry is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
}

function placeOf(file: string, id: string, position: number): string {
  return `${file}: session ${id}, row ${position}`;
}
