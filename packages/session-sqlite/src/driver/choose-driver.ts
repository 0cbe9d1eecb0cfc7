import type { DriverName, SqliteDriver } from "./driver.js";
import { createNodeDriver } from "./node-driver.js";
import { createWasmDriver } from "./wasm-driver.js";

/** Node's own SQLite where there is one, else the one of WebAssembly. Throws for one that is asked for and not there. */
export async function chooseDriver(name?: DriverName): Promise<SqliteDriver> {
  if (name === "node-sqlite3-wasm") return createWasmDriver();
  const driver = createNodeDriver();
  if (driver !== undefined) return driver;
  if (name === undefined) return createWasmDriver();
  throw new Error(
    `driver: this Node (${process.version}) has no node:sqlite with full-text search; leave the option out`,
  );
}
