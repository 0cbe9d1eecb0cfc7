import { randomUUID } from "node:crypto";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isSessionError, SessionError } from "@ashlar/context";
import type { SqlConnection, SqliteDriver } from "../driver/driver.js";
import { FileUsers } from "../process/file-users.js";
import { type Owner, thisOwner } from "../process/owner.js";
import { UseLock } from "../process/use-lock.js";
import { failureOf } from "./failure.js";
import {
  isProtected,
  type OpenFile,
  openDamaged,
  openProtected,
  openWritable,
  rollBack,
} from "./open-file.js";

export interface DatabaseOptions {
  readonly file: string;
  readonly driver: SqliteDriver;
  /** How long to wait for another process before giving up. */
  readonly busyMs: number;
}

export interface WriteOptions {
  /** Forced to the disk when this returns. */
  readonly durable?: boolean;
}

/** Somebody else has the file just now; the same may work a moment later. */
class Busy extends Error {
  readonly holder: Owner | undefined;

  constructor(holder?: Owner) {
    super("busy");
    this.holder = holder;
  }
}

/** One database file. Work on it is synchronous and short, and tried again while another process has the file. */
export class SessionDatabase {
  readonly file: string;
  readonly owner: Owner = thisOwner(randomUUID());
  /** Keys of the sessions that this one writes to. */
  readonly held: Set<number> = new Set();
  readonly #driver: SqliteDriver;
  readonly #busyMs: number;
  #users: FileUsers | undefined;
  #lock: UseLock | undefined;
  #open: OpenFile | undefined;
  #isClosed = false;

  constructor({ file, driver, busyMs }: DatabaseOptions) {
    this.file = file;
    this.#driver = driver;
    this.#busyMs = busyMs;
  }

  /** Where the file is kept as it was before this process changed its format. */
  get original(): string | undefined {
    return this.#open?.original;
  }

  /** Runs `action` on one state of the data. */
  read<Result>(action: (connection: SqlConnection) => Result): Promise<Result> {
    return this.#patiently(() => action(this.#opened().connection));
  }

  /** Runs `action` as one transaction: all of it, or nothing. It may run more than once. */
  write<Result>(
    action: (connection: SqlConnection) => Result,
    { durable = false }: WriteOptions = {},
  ): Promise<Result> {
    return this.#patiently(() => {
      const { connection, refusal } = this.#opened();
      if (refusal !== undefined) throw refusal;
      connection.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
      connection.exec("BEGIN IMMEDIATE");
      try {
        const result = action(connection);
        connection.exec("COMMIT");
        return result;
      } catch (error) {
        const reason = this.#meaningOf(error);
        rollBack(connection);
        throw reason;
      }
    });
  }

  /** A process other than this one that has the file open. */
  other(): Owner | undefined {
    return this.#users?.other();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#open?.connection.close();
    } finally {
      this.#open?.dispose();
      this.#users?.leave();
      this.#open = undefined;
    }
  }

  async #patiently<Result>(action: () => Result): Promise<Result> {
    let patienceMs = this.#busyMs;
    for (let tries = 0; ; tries += 1) {
      try {
        return this.#guarded(action);
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        if (patienceMs <= 0) throw this.#stillBusy(error.holder);
      }
      patienceMs -= await waited(Math.min(2 ** tries, 40) * (0.5 + Math.random()));
    }
  }

  #guarded<Result>(action: () => Result): Result {
    if (this.#isClosed) throw new SessionError("closed", "this repository is closed; make another one", {});
    try {
      this.#join();
      const taken = this.#lock?.take();
      if (taken !== undefined) throw new Busy(taken.holder);
      try {
        if (this.#open !== undefined && this.#lock !== undefined)
          this.#driver.recover(this.#open.connection, this.file);
        return action();
      } finally {
        this.#lock?.release();
      }
    } catch (error) {
      throw this.#meaningOf(error);
    }
  }

  #join(): void {
    if (this.#users !== undefined || isProtected(this.file)) return;
    const users = new FileUsers(this.file, this.#driver, this.owner);
    const stranger = users.stranger();
    if (stranger !== undefined) {
      users.leave();
      throw this.#usedOtherwise(stranger);
    }
    this.#users = users;
    if (this.#driver.locking === "folder") this.#lock = new UseLock(this.file, users.own);
  }

  #opened(): OpenFile {
    this.#open ??= this.#openFile();
    return this.#open;
  }

  #openFile(): OpenFile {
    if (isProtected(this.file)) return openProtected(this.file, this.#driver);
    try {
      return openWritable(this.file, this.#driver);
    } catch (error) {
      if (failureOf(error) !== "corrupt") throw error;
      return openDamaged(this.file, this.#driver, error);
    }
  }

  #meaningOf(error: unknown): unknown {
    if (error instanceof Busy || isSessionError(error)) return error;
    const failure = failureOf(error);
    const text = error instanceof Error ? error.message : String(error);
    switch (failure) {
      case undefined:
        return systemError(error, this.file);
      case "busy":
        return new Busy();
      case "corrupt":
      case "foreign":
        return new SessionError(
          "damaged",
          `${this.file} is damaged (${text}); repair() makes a new one of what can be read`,
          { at: this.file },
          { cause: error },
        );
      case "readonly":
        return new SessionError(
          "readonly",
          `${this.file} cannot be written (${text})`,
          { id: this.file },
          { cause: error },
        );
      case "full":
      case "io":
        return this.#mediumFailed(failure, text, error);
      default:
        return new SessionError("storage", `${this.file}: ${text}`, {}, { cause: error });
    }
  }

  #mediumFailed(failure: "full" | "io", text: string, cause: unknown): SessionError<"storage"> {
    const isFull = failure === "full" || isDiskFull(this.file);
    const problem = isFull ? "the disk is full: make room" : `the disk refused (${text})`;
    return new SessionError(
      "storage",
      `${this.file} could not be written, ${problem}; nothing of this change was kept`,
      { code: isFull ? "ENOSPC" : "EIO" },
      { cause },
    );
  }

  #usedOtherwise({ pid }: Owner): SessionError<"storage"> {
    return new SessionError(
      "storage",
      `${this.file} is in use by the process ${pid} through another SQLite than ${this.#driver.name}; run both on the same version of Node, or close that one first`,
      { code: "EBUSY" },
    );
  }

  #stillBusy(holder: Owner | undefined): SessionError<"storage"> {
    const who = holder === undefined ? "another process" : `the process ${holder.pid}`;
    return new SessionError(
      "storage",
      `${this.file} was in use by ${who} for ${this.#busyMs} ms; try again, or end that process if it hangs`,
      { code: "EBUSY" },
    );
  }
}

/** How long a pause was. A process that was stopped in it, or a machine that slept, has not waited all that time. */
async function waited(pauseMs: number): Promise<number> {
  const since = Date.now();
  await delay(pauseMs);
  return Math.min(Math.max(Date.now() - since, pauseMs), 4 * pauseMs);
}

function systemError(error: unknown, file: string): unknown {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error))
    return error;
  return new SessionError("storage", `${file}: ${error.message}`, { code: error.code }, { cause: error });
}

/** With less than this a refusal means that the disk is full; taking a change back may have made a little room again. */
const ROOM_BYTES = 1024 * 1024;

function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < ROOM_BYTES;
  } catch {
    // The folder itself cannot be reached; then it is not for want of room.
    return false;
  }
}
