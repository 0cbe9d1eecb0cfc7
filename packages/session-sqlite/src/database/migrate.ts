import { existsSync, renameSync, rmSync } from "node:fs";
import type { SqlConnection } from "../driver/driver.js";
import { fillTexts } from "../search/texts.js";
import { FORMAT_VERSION, FROM_FORMAT_1 } from "./format.js";

/** Brings format 1 to this one in one transaction. Returns where the original is kept. */
export function migrate(connection: SqlConnection, file: string): string {
  const original = keep(connection, file);
  connection.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it since we looked.
    if (connection.all("PRAGMA user_version")[0]?.user_version !== FORMAT_VERSION) {
      connection.exec(FROM_FORMAT_1);
      fillTexts(connection);
      connection.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    connection.exec("ROLLBACK");
    throw error;
  }
  return original;
}

/** A whole copy beside the database, put in place in one step and never over one that is there. */
function keep(connection: SqlConnection, file: string): string {
  const original = `${file}.format-1`;
  if (existsSync(original)) return original;
  const staged = `${original}-${process.pid}`;
  rmSync(staged, { force: true });
  connection.run("VACUUM INTO ?", staged);
  renameSync(staged, original);
  return original;
}
