import { setTimeout as delay } from "node:timers/promises";
import { SessionError } from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import type { SqlConnection } from "../driver/driver.js";
import { isDead, type Owner, parseOwner } from "../process/owner.js";
import { findRow, type SessionRow } from "./session-row.js";

export interface LockTimes {
  /** How often an owner gives a sign of life. Default 4000. */
  readonly heartbeatMs: number;
  /** After how long without one a live owner loses the lock. Default 20,000. */
  readonly staleMs: number;
}

export const LOCK_TIMES: LockTimes = { heartbeatMs: 4_000, staleMs: 20_000 };

/** What the database says of who writes to a session. */
interface Holder {
  /** Undefined when what is there is no signature. */
  readonly owner: Owner | undefined;
  readonly since: number;
  readonly heartbeat: number;
}

type Attempt =
  | { readonly state: "taken"; readonly row: SessionRow; readonly fence: number }
  /** It has given no sign of life for too long, but it may be there. */
  | { readonly state: "silent"; readonly holder: Holder };

/**
 * The right to write to one session. Taking it raises the session's fence in the same transaction, and every write
 * looks at the fence in its own, so that a writer that was overtaken, however late it wakes up, writes nothing.
 */
export class SessionHold {
  readonly row: SessionRow;
  readonly #fence: number;
  readonly #database: SessionDatabase;
  readonly #timer: NodeJS.Timeout;
  #isReleased = false;

  private constructor(
    database: SessionDatabase,
    { row, fence }: { row: SessionRow; fence: number },
    heartbeatMs: number,
  ) {
    this.#database = database;
    this.row = row;
    this.#fence = fence;
    this.#timer = setInterval(() => this.#beat(), heartbeatMs);
    this.#timer.unref();
    database.held.add(row.key);
  }

  /** Rejects with kind `missing`, or `locked` while somebody else writes. */
  static async take(database: SessionDatabase, id: string, times: LockTimes): Promise<SessionHold> {
    const { owner, held } = database;
    const first = { id, owner, held, times };
    let attempt = await unlessBusy(database, id, () =>
      database.write((connection) => tryToTake(connection, first)),
    );
    if (attempt.state === "silent") {
      // The clock may have stepped, or the machine slept: a living owner shows itself within two beats.
      await delay(times.heartbeatMs * 2 + 50);
      const again = { ...first, silent: attempt.holder };
      attempt = await unlessBusy(database, id, () =>
        database.write((connection) => tryToTake(connection, again)),
      );
    }
    if (attempt.state === "silent") throw lockedBy(id, attempt.holder);
    return new SessionHold(database, attempt, times.heartbeatMs);
  }

  /** Throws kind `overtaken` when the session is somebody else's by now. Part of every transaction that writes. */
  check(connection: SqlConnection): void {
    const [row] = connection.all("SELECT fence FROM sessions WHERE key = ?", this.row.key);
    if (row?.fence === this.#fence) return;
    const { id } = this.row.info;
    const pid = row === undefined ? undefined : holderOf(connection, this.row.key)?.owner?.pid;
    const who = pid === undefined ? "another process" : `the process ${pid}`;
    const text = `the session ${id} was taken over by ${who}, because this one gave no sign of life; nothing more was written. Open it again, or fork it`;
    throw new SessionError("overtaken", text, { id, ...(pid === undefined ? {} : { pid }) });
  }

  /** Lets go; what somebody else took over stays theirs. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearInterval(this.#timer);
    this.#database.held.delete(this.row.key);
    const done = this.#database.write((connection) => {
      if (this.#isCurrent(connection)) connection.run("DELETE FROM holds WHERE session = ?", this.row.key);
    });
    // On a full disk the hold stays written down; it is void for this process, and for all others once it ends.
    await done.catch(() => undefined);
  }

  sign(connection: SqlConnection): void {
    connection.run("UPDATE holds SET heartbeat = ? WHERE session = ?", Date.now(), this.row.key);
  }

  #beat(): void {
    const done = this.#database.write((connection) => {
      if (this.#isCurrent(connection)) this.sign(connection);
    });
    // A missed sign of life is what the stale time is for; the next one may work.
    done.catch(() => undefined);
  }

  #isCurrent(connection: SqlConnection): boolean {
    const [row] = connection.all("SELECT fence FROM sessions WHERE key = ?", this.row.key);
    return row?.fence === this.#fence;
  }
}

/** A process that is stopped in the middle of a transaction keeps everybody out; if it has the session, that is to be said. */
async function unlessBusy<Result>(
  database: SessionDatabase,
  id: string,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!isBusy(error)) throw error;
    const holder = await database
      .read((connection) => {
        const row = findRow(connection, id);
        return row === undefined ? undefined : holderOf(connection, row.key);
      })
      .catch(() => undefined);
    if (holder === undefined) throw error;
    throw lockedBy(id, holder);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SessionError && "code" in error.details && error.details.code === "EBUSY";
}

interface TakeOptions {
  readonly id: string;
  readonly owner: Owner;
  /** What `owner` really holds. */
  readonly held: ReadonlySet<number>;
  readonly times: LockTimes;
  /** Who was silent when it was asked first. */
  readonly silent?: Holder;
}

function tryToTake(connection: SqlConnection, { id, owner, held, times, silent }: TakeOptions): Attempt {
  const row = findRow(connection, id);
  if (row === undefined) throw new SessionError("missing", `there is no session ${id}`, { id });
  const holder = holderOf(connection, row.key);
  const isVoid = holder?.owner?.token === owner.token && !held.has(row.key);
  if (holder !== undefined && !isVoid && !(holder.owner !== undefined && isDead(holder.owner))) {
    const age = Date.now() - holder.heartbeat;
    const isStill = silent !== undefined && isSame(silent, holder);
    if (!isStill && Math.abs(age) <= times.staleMs) throw lockedBy(id, holder);
    if (!isStill) return { state: "silent", holder };
  }
  connection.run("UPDATE sessions SET fence = fence + 1 WHERE key = ?", row.key);
  const now = Date.now();
  connection.run(
    "INSERT OR REPLACE INTO holds VALUES (?, ?, ?, ?)",
    row.key,
    JSON.stringify(owner),
    now,
    now,
  );
  const [fenced] = connection.all("SELECT fence FROM sessions WHERE key = ?", row.key);
  return { state: "taken", row, fence: Number(fenced?.fence) };
}

function isSame(before: Holder, after: Holder): boolean {
  return before.heartbeat === after.heartbeat && before.since === after.since;
}

function holderOf(connection: SqlConnection, key: number): Holder | undefined {
  const [row] = connection.all("SELECT owner, since, heartbeat FROM holds WHERE session = ?", key);
  if (row === undefined) return undefined;
  return { owner: parseOwner(row.owner), since: Number(row.since), heartbeat: Number(row.heartbeat) };
}

function lockedBy(id: string, { owner, since, heartbeat }: Holder): SessionError<"locked"> {
  const pid = owner?.pid;
  const who =
    pid === undefined ? "somebody" : pid === process.pid ? `this process (pid ${pid})` : `the process ${pid}`;
  const text = `the session ${id} is open for writing in ${who} since ${new Date(since).toISOString()}; close it there, or fork it`;
  const host = owner?.host.split(" ")[0];
  return new SessionError("locked", text, {
    id,
    since,
    heartbeat,
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
  });
}
