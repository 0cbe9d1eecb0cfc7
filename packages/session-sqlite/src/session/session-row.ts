import { isObject, type JsonObject, type SessionInfo, type SessionOrigin } from "@ashlar/context";
import type { SqlConnection, SqlRow } from "../driver/driver.js";

/** A session as its row describes it. */
export interface SessionRow {
  readonly key: number;
  readonly info: SessionInfo;
  /** The `seq` of the newest entry. */
  readonly seq: number;
}

const COLUMNS = "key, id, created, updated, cwd, name, preview, parent, settings, seq";

export function findRow(connection: SqlConnection, id: string): SessionRow | undefined {
  return rowsOf(connection.all(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id))[0];
}

/** Newest first. */
export function listRows(
  connection: SqlConnection,
  { cwd, limit }: { readonly cwd: string | undefined; readonly limit: number },
): readonly SessionRow[] {
  const order = "ORDER BY updated DESC, id DESC LIMIT ?";
  return rowsOf(
    cwd === undefined
      ? connection.all(`SELECT ${COLUMNS} FROM sessions WHERE id IS NOT NULL ${order}`, limit)
      : connection.all(
          `SELECT ${COLUMNS} FROM sessions WHERE id IS NOT NULL AND cwd = ? ${order}`,
          cwd,
          limit,
        ),
  );
}

/** All ids that begin with `prefix`; ids are ASCII. */
export function idsFrom(connection: SqlConnection, prefix: string): readonly string[] {
  return connection
    .all("SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id", prefix, `${prefix}\u{10ffff}`)
    .map(({ id }) => String(id));
}

/** Adds a session and returns its key; one without an id is not seen yet. */
export function insertRow(
  connection: SqlConnection,
  info: Omit<SessionInfo, "id"> & { readonly id: string | null },
): number {
  const [row] = connection.all(
    `INSERT INTO sessions (id, created, updated, cwd, name, preview, parent, settings)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    info.id,
    info.created,
    info.updated,
    info.cwd ?? null,
    shownColumn(info.name),
    shownColumn(info.preview),
    info.parent === undefined ? null : JSON.stringify(info.parent),
    info.settings === undefined ? null : JSON.stringify(info.settings),
  );
  return Number(row?.key);
}

/** A text of anybody's for a column. Some drivers read no further than a NUL, so one that has it is kept as JSON. */
export function shownColumn(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.includes("\u0000") || text.startsWith('"') ? JSON.stringify(text) : text;
}

function shownText(column: string): string {
  const value = column.startsWith('"') ? parsed(column) : undefined;
  return typeof value === "string" ? value : column;
}

/** What cannot be read is left out. */
function rowsOf(rows: readonly SqlRow[]): readonly SessionRow[] {
  return rows.flatMap((row) => {
    const parsed = parseRow(row);
    return parsed === undefined ? [] : [parsed];
  });
}

function parseRow({
  key,
  id,
  created,
  updated,
  cwd,
  name,
  preview,
  parent,
  settings,
  seq,
}: SqlRow): SessionRow | undefined {
  if (typeof key !== "number" || typeof id !== "string" || typeof seq !== "number") return undefined;
  if (typeof created !== "number" || typeof updated !== "number") return undefined;
  const origin = parseOrigin(parent);
  const kept = parseSettings(settings);
  const info: SessionInfo = {
    id,
    created,
    updated,
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(typeof name === "string" ? { name: shownText(name) } : {}),
    ...(typeof preview === "string" ? { preview: shownText(preview) } : {}),
    ...(origin === undefined ? {} : { parent: origin }),
    ...(kept === undefined ? {} : { settings: kept }),
  };
  return { key, info, seq };
}

function parseOrigin(text: unknown): SessionOrigin | undefined {
  const value = parsed(text);
  if (!isObject(value) || typeof value.session !== "string") return undefined;
  return { session: value.session, ...(typeof value.entry === "string" ? { entry: value.entry } : {}) };
}

function parseSettings(text: unknown): JsonObject | undefined {
  const value = parsed(text);
  if (!isObject(value) || Array.isArray(value)) return undefined;
  // What JSON.parse gives is JSON.
  return value as JsonObject;
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A damaged column hides itself, not the session.
    return undefined;
  }
}
