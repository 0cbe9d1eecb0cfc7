import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isObject, SessionError } from "@ashlar/context";
import type { SqlConnection, SqliteDriver } from "../driver/driver.js";
import { failureOf } from "./failure.js";
import { APPLICATION_ID, CREATE_FORMAT, FORMAT_VERSION } from "./format.js";
import { migrate } from "./migrate.js";

export interface OpenFile {
  readonly connection: SqlConnection;
  /** Why nothing can be written, or undefined. */
  readonly refusal: SessionError | undefined;
  /** Where what was there before the format changed is kept. */
  readonly original: string | undefined;
  /** Takes away what was made to read the file. */
  readonly dispose: () => void;
}

/** True when the file, or the folder it would stand in, cannot be written. */
export function isProtected(file: string): boolean {
  const places = existsSync(file) ? [file, dirname(file)] : [];
  return places.some((place) => !canWrite(place));
}

function canWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch (error) {
    if (isObject(error) && (error.code === "EACCES" || error.code === "EROFS" || error.code === "EPERM"))
      return false;
    throw error;
  }
}

/** SQLite needs to write beside a file even to read it, so what is protected is read from a copy. */
export function openProtected(file: string, driver: SqliteDriver): OpenFile {
  const text = `${file} cannot be written (read-only file or folder); its sessions can be read`;
  return openCopy(file, driver, new SessionError("readonly", text, { id: file }));
}

/** What can be read of a file that SQLite refuses as a whole, such as one that was cut short; the file stays as it is. */
export function openDamaged(file: string, driver: SqliteDriver, cause: unknown): OpenFile {
  const text = `${file} is damaged: it can only be read, as far as that goes; repair() makes a new one of what can be read`;
  return openCopy(file, driver, new SessionError("damaged", text, { at: file }, { cause }));
}

function openCopy(file: string, driver: SqliteDriver, refusal: SessionError): OpenFile {
  const folder = mkdtempSync(join(tmpdir(), "ashlar-sessions-"));
  const dispose = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(file));
    for (const suffix of ["", "-wal", "-journal"]) {
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    }
    const opened = openAt({ file: copy, shown: file, isDamaged: refusal.kind === "damaged" }, driver);
    return { ...opened, refusal, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Opens the database and brings it to this format; makes it when there is none. */
export function openWritable(file: string, driver: SqliteDriver): OpenFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return { ...openAt({ file, shown: file, isDamaged: false }, driver), dispose: () => undefined };
}

interface Place {
  readonly file: string;
  /** What errors name. */
  readonly shown: string;
  /** SQLite is told to go on although the file does not add up. */
  readonly isDamaged: boolean;
}

function openAt(place: Place, driver: SqliteDriver): Omit<OpenFile, "dispose"> {
  checkHead(place);
  const connection = driver.open(place.file, { isLenient: place.isDamaged });
  try {
    driver.recover(connection, place.file);
    return { connection, ...prepare(connection, driver, place) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

const MAGIC = "SQLite format 3\u0000";

/** An empty file is a new database; anything else has to look like one. */
function checkHead({ file, shown }: Place): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const bytes = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, "r");
  try {
    readSync(handle, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(handle);
  }
  if (bytes.toString("latin1") !== MAGIC) throw foreign(shown, "it is no SQLite database");
}

function prepare(
  connection: SqlConnection,
  driver: SqliteDriver,
  { file, shown }: Place,
): Pick<OpenFile, "refusal" | "original"> {
  setJournal(connection, driver);
  const version = numberOf(connection, "user_version");
  if (numberOf(connection, "application_id") !== APPLICATION_ID) {
    const [used] = connection.all("SELECT count(*) AS tables FROM sqlite_schema");
    if (version !== 0 || used?.tables !== 0) throw foreign(shown, "it is a database of something else");
    create(connection);
    return { refusal: undefined, original: undefined };
  }
  if (version > FORMAT_VERSION) return { refusal: tooNew(shown, version), original: undefined };
  if (version === FORMAT_VERSION) return { refusal: undefined, original: undefined };
  return { refusal: undefined, original: migrate(connection, file) };
}

/** A database in WAL can only be reached without shared memory by who has it alone; then it leaves WAL. */
function setJournal(connection: SqlConnection, driver: SqliteDriver): void {
  if (driver.locking === "system") {
    connection.all("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000");
    return;
  }
  connection.all("PRAGMA locking_mode = EXCLUSIVE");
  connection.all("PRAGMA journal_mode = DELETE");
  connection.all("PRAGMA locking_mode = NORMAL");
  // The exclusive lock is let go by the first statement after that.
  connection.all("SELECT count(*) FROM sqlite_schema");
  connection.exec("PRAGMA synchronous = NORMAL");
}

function create(connection: SqlConnection): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have made it since we looked.
    if (numberOf(connection, "application_id") !== APPLICATION_ID) {
      connection.exec(CREATE_FORMAT);
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

export function rollBack(connection: SqlConnection): void {
  try {
    connection.exec("ROLLBACK");
  } catch (error) {
    // SQLite has rolled back by itself where that was all it could do.
    if (failureOf(error) === undefined) throw error;
  }
}

export function numberOf(connection: SqlConnection, pragma: string): number {
  const value = connection.all(`PRAGMA ${pragma}`)[0]?.[pragma];
  return typeof value === "number" ? value : 0;
}

function foreign(file: string, problem: string): SessionError<"damaged"> {
  return new SessionError(
    "damaged",
    `${file} holds no sessions of ours: ${problem}; it was left as it is. Name another folder, or move the file away`,
    { at: file },
  );
}

function tooNew(file: string, found: number): SessionError<"version"> {
  return new SessionError(
    "version",
    `${file} has format ${found}, and this version writes format ${FORMAT_VERSION}: it can only be read; update @ashlar/session-sqlite to write`,
    { found, supported: FORMAT_VERSION },
  );
}
