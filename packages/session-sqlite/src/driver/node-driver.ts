import type { SqlConnection, SqliteDriver, SqlRow, SqlValue } from "./driver.js";

/** The part of `node:sqlite` that is used; the types of Node 20 do not have it. */
interface NodeStatement {
  run(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): readonly SqlRow[];
}
interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
  /** Node 24 and newer, where it is on at first. */
  enableDefensive?(isOn: boolean): void;
}
interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase;
}

/** The SQLite of Node 22.13 and newer; undefined where there is none, or none with full-text search. */
export function createNodeDriver(): SqliteDriver | undefined {
  const sqlite = loadQuietly();
  if (sqlite === undefined || !hasFullText(sqlite)) return undefined;
  return {
    name: "node:sqlite",
    locking: "system",
    open: (file, { isLenient = false } = {}) => {
      const database = new sqlite.DatabaseSync(file);
      if (isLenient) {
        database.enableDefensive?.(false);
        database.exec("PRAGMA writable_schema = ON");
      }
      return connectionOf(database);
    },
    // SQLite does it by itself, under its own locks.
    recover: () => undefined,
  };
}

/**
 * Node 22 warns once, as it loads the module, that it is experimental. That is for us to know and not for the terminal
 * of who runs the program. Loading is synchronous, so no warning of anybody else can come between.
 */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const loaded: unknown = process.getBuiltinModule?.("node:sqlite");
    return isSqlite(loaded) ? loaded : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqlite(value: unknown): value is NodeSqlite {
  return (
    typeof value === "object" &&
    value !== null &&
    "DatabaseSync" in value &&
    typeof value.DatabaseSync === "function"
  );
}

function hasFullText({ DatabaseSync }: NodeSqlite): boolean {
  const database = new DatabaseSync(":memory:");
  try {
    const [row] = database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used").all();
    return row?.used === 1;
  } finally {
    database.close();
  }
}

function connectionOf(database: NodeDatabase): SqlConnection {
  const statements = new Map<string, NodeStatement>();
  const prepared = (sql: string): NodeStatement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => void prepared(sql).run(...values),
    all: (sql, ...values) => prepared(sql).all(...values),
    close: () => database.close(),
  };
}
