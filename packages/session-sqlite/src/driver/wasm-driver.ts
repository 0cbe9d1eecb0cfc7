import fs from "node:fs";
import { resolve } from "node:path";
import type { Database, Statement } from "node-sqlite3-wasm";
import type { SqlConnection, SqliteDriver, SqlValue } from "./driver.js";

/** SQLite as WebAssembly, for a Node without one of its own. Loaded when it is first asked for. */
export async function createWasmDriver(): Promise<SqliteDriver> {
  const { default: wasm } = await import("node-sqlite3-wasm");
  return {
    name: "node-sqlite3-wasm",
    locking: "folder",
    open: (file, { isLenient = false } = {}) => {
      const database = new wasm.Database(file);
      if (isLenient) database.exec("PRAGMA writable_schema = ON");
      return connectionOf(database);
    },
    recover,
  };
}

/**
 * The driver takes its own lock for that of another process that still writes, and so never rolls back what a killed one
 * left in the journal. While the file is looked at for that, it is told that there is no such lock. All of this is
 * synchronous, so nobody else's access comes between.
 */
function recover(connection: SqlConnection, file: string): void {
  if (!fs.existsSync(`${file}-journal`)) return;
  const { accessSync } = fs;
  const lock = resolve(`${file}.lock`);
  const withoutLock: typeof accessSync = (path, mode) => {
    if (path === lock) throw new Error("not there");
    accessSync(path, mode);
  };
  Reflect.set(fs, "accessSync", withoutLock);
  try {
    connection.all("SELECT count(*) FROM sqlite_schema");
  } finally {
    Reflect.set(fs, "accessSync", accessSync);
  }
}

function connectionOf(database: Database): SqlConnection {
  const statements = new Map<string, Statement>();

  const use = <Result>(sql: string, action: (statement: Statement) => Result): Result => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    try {
      return action(statement);
    } catch (error) {
      // A statement that failed cannot be used again, and holds the file until it is let go.
      statements.delete(sql);
      letGo(statement);
      throw error;
    }
  };

  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => void use(sql, (statement) => statement.run(bound(values))),
    all: (sql, ...values) => use(sql, (statement) => statement.all(bound(values))),
    close: () => {
      for (const statement of statements.values()) letGo(statement);
      statements.clear();
      database.close();
    },
  };
}

function bound(values: readonly SqlValue[]): SqlValue[] {
  return [...values];
}

function letGo(statement: Statement): void {
  try {
    statement.finalize();
  } catch {
    // It says once more how its last run failed; who ran it knows.
  }
}
