import { join } from "node:path";
import {
  checkLimit,
  checkSessionId,
  createUuid7,
  forkEnd,
  forkedEntries,
  resolveSessionId,
  SessionError,
  type SessionInfo,
  type SessionRepository,
  type StoredSession,
} from "@ashlar/context";
import { SessionDatabase } from "./database/database.js";
import { chooseDriver } from "./driver/choose-driver.js";
import type { DriverName, SqliteDriver } from "./driver/driver.js";
import { searchDatabase } from "./search/search.js";
import { advanceIndex } from "./search/search-index.js";
import { checkFree, clearUnfinished, copySession, removeSession } from "./session/copy-session.js";
import { LOCK_TIMES, type LockTimes, SessionHold } from "./session/hold.js";
import { findRow, idsFrom, insertRow, listRows, type SessionRow } from "./session/session-row.js";
import { SqliteStore, type SqliteStoreOptions } from "./session/sqlite-store.js";
import { type CheckReport, checkDatabase } from "./upkeep/check.js";
import { type RepairReport, repairDatabase } from "./upkeep/repair.js";

export interface SqliteRepositoryOptions {
  /** Where the database `sessions.db` is kept. Made when it is needed. */
  readonly folder: string;
  /** Default: `node:sqlite` where this Node has it, else `node-sqlite3-wasm`. */
  readonly driver?: DriverName;
  readonly lock?: Partial<LockTimes>;
  /** How long to wait for another process that has the file. Default 5000. */
  readonly busyMs?: number;
}

export interface SqliteRepository extends SessionRepository {
  /** Looks at the file and at every session; changes nothing. */
  readonly check: () => Promise<CheckReport>;
  /** Makes the database anew from what can be read of it; the original is kept beside it. No session may be open. */
  readonly repair: () => Promise<RepairReport>;
  /** Takes everything into the search index, which searches otherwise do bit by bit. */
  readonly updateIndex: (options?: { readonly signal?: AbortSignal }) => Promise<void>;
  /** Lets the file go; sessions that are open are closed before. */
  readonly close: () => Promise<void>;
}

const FILE_NAME = "sessions.db";
const DEFAULT_LIMIT = 50;
const DEFAULT_BUSY_MS = 5_000;

/** All sessions in one SQLite database. */
export function createSqliteRepository(options: SqliteRepositoryOptions): SqliteRepository {
  return new DatabaseRepository(options);
}

class DatabaseRepository implements SqliteRepository {
  readonly #file: string;
  readonly #driverName: DriverName | undefined;
  readonly #times: LockTimes;
  readonly #busyMs: number;
  readonly #nextId = createUuid7(Date.now, (bytes) => crypto.getRandomValues(bytes));
  readonly #stores = new Set<StoredSession>();
  #driver: Promise<SqliteDriver> | undefined;
  #database: SessionDatabase | undefined;
  #isClosed = false;

  constructor({ folder, driver, lock = {}, busyMs = DEFAULT_BUSY_MS }: SqliteRepositoryOptions) {
    this.#file = join(folder, FILE_NAME);
    this.#driverName = driver;
    this.#times = { ...LOCK_TIMES, ...lock };
    this.#busyMs = busyMs;
  }

  readonly create: SessionRepository["create"] = async ({
    name,
    id = this.#nextId(),
    created = Date.now(),
    ...rest
  } = {}) => {
    checkSessionId(id);
    const database = await this.#use();
    await database.write((connection) => {
      checkFree(connection, id);
      insertRow(connection, { ...rest, id, created, updated: created });
    });
    const store = await this.#openToWrite(database, id);
    if (name !== undefined) await this.#append(store, name);
    return store;
  };

  readonly open: SessionRepository["open"] = async (id, { readonly: isReadonly = false } = {}) => {
    const database = await this.#use();
    const row = await this.#resolve(database, id);
    if (!isReadonly) return this.#openToWrite(database, row.info.id);
    return this.#keep({ database, row, hold: undefined });
  };

  readonly find: SessionRepository["find"] = async (id) => (await this.#resolve(await this.#use(), id)).info;

  readonly list: SessionRepository["list"] = async ({ cwd, limit = DEFAULT_LIMIT } = {}) => {
    checkLimit(limit);
    const database = await this.#use();
    return (await database.read((connection) => listRows(connection, { cwd, limit }))).map(
      ({ info }) => info,
    );
  };

  readonly latest: SessionRepository["latest"] = async (options = {}) =>
    (await this.list({ ...options, limit: 1 }))[0];

  readonly rename: SessionRepository["rename"] = async (id, name) => {
    const database = await this.#use();
    const row = await this.#resolve(database, id);
    const store = await this.#openToWrite(database, row.info.id);
    try {
      await this.#append(store, name);
    } finally {
      await store.close();
    }
  };

  readonly delete: SessionRepository["delete"] = async (id) => {
    const database = await this.#use();
    if ((await database.read((connection) => findRow(connection, id))) === undefined) return false;
    const hold = await SessionHold.take(database, id, this.#times);
    try {
      await database.write((connection) => {
        hold.check(connection);
        removeSession(connection, hold.row.key);
      });
    } finally {
      await hold.release();
    }
    return true;
  };

  readonly fork: SessionRepository["fork"] = async (id, { id: newId, cwd, ...target } = {}) => {
    const forkId = newId ?? this.#nextId();
    checkSessionId(forkId);
    const database = await this.#use();
    const row = await this.#resolve(database, id);
    const source = new SqliteStore({ database, row, hold: undefined });
    const plan = await forkEnd(source.read(), target);
    const now = Date.now();
    const folder = cwd ?? row.info.cwd;
    const info: SessionInfo = {
      id: forkId,
      created: now,
      updated: now,
      ...(folder === undefined ? {} : { cwd: folder }),
      ...(row.info.settings === undefined ? {} : { settings: row.info.settings }),
      parent: {
        session: row.info.id,
        ...(plan.end === null || plan.taken === undefined ? {} : { entry: plan.end }),
      },
    };
    await database.write((connection) => clearUnfinished(connection, now));
    return copySession(database, info, forkedEntries(source.read(), plan));
  };

  readonly search: SessionRepository["search"] = (text, options = {}) => this.#search(text, options);

  readonly check: SqliteRepository["check"] = async () => checkDatabase(await this.#use());

  readonly repair: SqliteRepository["repair"] = async () => {
    if (this.#stores.size > 0) {
      const problem = "a session of this repository is open; close it before a repair";
      throw new SessionError("usage", problem, { argument: "repair" });
    }
    const database = await this.#use();
    const report = await repairDatabase(database, await this.#chosen(), this.#busyMs);
    this.#database = undefined;
    return report;
  };

  readonly updateIndex: SqliteRepository["updateIndex"] = async ({ signal } = {}) =>
    advanceIndex(await this.#use(), { signal });

  readonly close: SqliteRepository["close"] = async () => {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#stores, (store) => store.close()));
    this.#database?.close();
  };

  async *#search(
    ...[text, options = {}]: Parameters<SessionRepository["search"]>
  ): ReturnType<typeof searchDatabase> {
    yield* searchDatabase(await this.#use(), text, options);
  }

  #chosen(): Promise<SqliteDriver> {
    this.#driver ??= chooseDriver(this.#driverName);
    return this.#driver;
  }

  async #use(): Promise<SessionDatabase> {
    const driver = await this.#chosen();
    if (this.#isClosed) throw new SessionError("closed", "this repository is closed; make another one", {});
    this.#database ??= new SessionDatabase({ file: this.#file, driver, busyMs: this.#busyMs });
    return this.#database;
  }

  #resolve(database: SessionDatabase, id: string): Promise<SessionRow> {
    return database.read((connection) => {
      const found = findRow(connection, resolveSessionId(id, idsFrom(connection, id)));
      if (found === undefined)
        throw new SessionError("missing", `there is no session ${JSON.stringify(id)}`, { id });
      return found;
    });
  }

  async #openToWrite(database: SessionDatabase, id: string): Promise<SqliteStore> {
    const hold = await SessionHold.take(database, id, this.#times);
    return this.#keep({ database, row: hold.row, hold });
  }

  /** Follows the store, so that closing the repository closes it. */
  #keep(options: SqliteStoreOptions): SqliteStore {
    const store = new SqliteStore({ ...options, onClose: (closed) => this.#stores.delete(closed) });
    this.#stores.add(store);
    return store;
  }

  #append(store: SqliteStore, name: string | null): Promise<void> {
    const stamp = { id: this.#nextId(), seq: store.seq + 1, parent: null, at: Date.now() };
    return store.append([{ ...stamp, kind: "name", name }]);
  }
}
