/** What is bound to a statement. */
export type SqlValue = string | number | null;
/** A row by column name; who asks for it knows what to expect and checks it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** One open database. Everything is synchronous; a text of SQL is prepared once. */
export interface SqlConnection {
  /** Runs statements that take and give nothing. */
  readonly exec: (sql: string) => void;
  readonly run: (sql: string, ...values: readonly SqlValue[]) => void;
  readonly all: (sql: string, ...values: readonly SqlValue[]) => readonly SqlRow[];
  readonly close: () => void;
}

export type DriverName = "node:sqlite" | "node-sqlite3-wasm";

export interface OpenDriverOptions {
  /** SQLite goes on although the file does not add up, and lets its own tables be changed. Default false. */
  readonly isLenient?: boolean;
}

/** A way to reach SQLite. */
export interface SqliteDriver {
  readonly name: DriverName;
  /**
   * `system`: other processes are kept out by locks of the system, which end with the process, and WAL works.
   * `folder`: the driver locks by making a folder, which a killed process leaves behind; WAL does not work.
   */
  readonly locking: "system" | "folder";
  /** Throws what the driver throws; `failureOf` reads it. */
  readonly open: (file: string, options?: OpenDriverOptions) => SqlConnection;
  /** Takes back what a killed process had begun to write. Called by who has the file alone, before anything is read. */
  readonly recover: (connection: SqlConnection, file: string) => void;
}
