import {
  acceptEntries,
  type CommitOptions,
  checkLogQuery,
  type LogQuery,
  MAIN_LANE,
  previewOf,
  type SessionDamage,
  type SessionEntry,
  SessionError,
  type SessionInfo,
  type StoredSession,
  selectEntries,
} from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import { FORMAT_VERSION } from "../database/format.js";
import type { SqlConnection } from "../driver/driver.js";
import { insertText } from "../search/texts.js";
import { readMended, readSelected } from "./entry-reader.js";
import type { SessionHold } from "./hold.js";
import { type SessionRow, shownColumn } from "./session-row.js";

export interface SqliteStoreOptions {
  readonly database: SessionDatabase;
  readonly row: SessionRow;
  /** Undefined for a store that only reads. */
  readonly hold: SessionHold | undefined;
  readonly onClose?: (store: SqliteStore) => void;
}

/** One session. States: open, failed (takes nothing more), closed. */
export class SqliteStore implements StoredSession {
  readonly #database: SessionDatabase;
  readonly #key: number;
  readonly #hold: SessionHold | undefined;
  readonly #onClose: ((store: SqliteStore) => void) | undefined;
  /** What is known before anything was read. */
  readonly #notes: readonly SessionDamage[];
  #damage: readonly SessionDamage[];
  #info: SessionInfo;
  #seq: number;
  /** How many entries were accepted, committed or not. */
  #accepted = 0;
  #commits: Promise<void> = Promise.resolve();
  #failure: unknown;
  #closing: Promise<void> | undefined;

  constructor({ database, row, hold, onClose }: SqliteStoreOptions) {
    this.#database = database;
    this.#key = row.key;
    this.#info = row.info;
    this.#seq = row.seq;
    this.#hold = hold;
    this.#onClose = onClose;
    this.#notes = formatNotes(database);
    this.#damage = this.#notes;
  }

  get info(): SessionInfo {
    return this.#info;
  }

  /** The `seq` of the newest entry that was accepted. */
  get seq(): number {
    return this.#seq;
  }

  get damage(): readonly SessionDamage[] {
    return this.#damage;
  }

  readonly load: StoredSession["load"] = async () => {
    const entries: SessionEntry[] = [];
    for await (const entry of this.#readAll()) entries.push(entry);
    return entries;
  };

  readonly read: StoredSession["read"] = (query = {}) => this.#read(query);

  readonly append: StoredSession["append"] = async (entries, options = {}) => {
    this.#checkOpen();
    const hold = this.#hold;
    const { id } = this.#info;
    if (hold === undefined)
      throw new SessionError("readonly", `the session ${id} was opened for reading`, { id });
    if (this.#failure !== undefined) throw this.#failure;
    const own = acceptEntries(this.#seq, entries);
    this.#seq = own.at(-1)?.seq ?? this.#seq;
    this.#accepted += own.length;
    const commit = this.#commits.then(() => this.#commit(own, hold, options));
    // Whoever waits for this commit hears of its failure; the next one finds it in the state.
    this.#commits = commit.catch(() => undefined);
    await commit;
  };

  readonly close: StoredSession["close"] = () => {
    this.#closing ??= this.#commits.then(() => this.#hold?.release()).finally(() => this.#onClose?.(this));
    return this.#closing;
  };

  async *#read(query: LogQuery): AsyncGenerator<SessionEntry, void, undefined> {
    this.#checkOpen();
    checkLogQuery(query);
    const isWhole = query.kinds === undefined && query.lane === undefined && query.afterSeq === undefined;
    if (isWhole) yield* selectEntries(this.#readAll(), query);
    else
      yield* selectEntries(
        readSelected(
          this.#readOptions(() => undefined),
          query,
        ),
        query,
      );
  }

  async *#readAll(): AsyncGenerator<SessionEntry, void, undefined> {
    this.#checkOpen();
    await this.#commits;
    const accepted = this.#accepted;
    const damage: SessionDamage[] = [...this.#notes];
    let seq = 0;
    for await (const entry of readMended(this.#readOptions((found) => damage.push(found)))) {
      seq = entry.seq;
      yield entry;
    }
    this.#damage = damage;
    // Entries at the end may be lost: who read the rest goes on from what it saw.
    if (accepted === this.#accepted) this.#seq = seq;
  }

  #readOptions(report: (damage: SessionDamage) => void) {
    return { database: this.#database, key: this.#key, id: this.#info.id, report };
  }

  async #commit(
    entries: readonly SessionEntry[],
    hold: SessionHold,
    { durable = false }: CommitOptions,
  ): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (entries.length === 0 && !durable) return;
    const info = infoWith(this.#info, entries);
    const rows = entries.map((entry) => ({ entry, body: JSON.stringify(entry) }));
    try {
      await this.#database.write(
        (connection) => {
          hold.check(connection);
          for (const { entry, body } of rows) insertEntry(connection, this.#key, entry, body);
          if (rows.length > 0) updateRow(connection, this.#key, info, this.#lastSeq(entries));
          // Who writes is alive; and a transaction that changed nothing would force nothing to the disk.
          hold.sign(connection);
        },
        { durable },
      );
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#info = info;
  }

  #lastSeq(entries: readonly SessionEntry[]): number {
    return entries.at(-1)?.seq ?? this.#seq;
  }

  #checkOpen(): void {
    if (this.#closing === undefined) return;
    const { id } = this.#info;
    throw new SessionError("closed", `the session ${id} is closed; open it again`, {});
  }
}

function formatNotes({ file, original }: SessionDatabase): readonly SessionDamage[] {
  if (original === undefined) return [];
  const message = `${file}: it was brought from format 1 to format ${FORMAT_VERSION}; the original is kept as ${original}`;
  return [{ reason: "format", at: file, message }];
}

export function insertEntry(connection: SqlConnection, key: number, entry: SessionEntry, body: string): void {
  const { seq, kind, lane = MAIN_LANE } = entry;
  const [row] = connection.all(
    "INSERT INTO entries (session, seq, kind, lane, body) VALUES (?, ?, ?, ?, ?) RETURNING position",
    key,
    seq,
    kind,
    lane,
    body,
  );
  insertText(connection, Number(row?.position), entry);
}

export function updateRow(connection: SqlConnection, key: number, info: SessionInfo, seq: number): void {
  connection.run(
    "UPDATE sessions SET updated = ?, name = ?, preview = ?, seq = ? WHERE key = ?",
    info.updated,
    shownColumn(info.name),
    shownColumn(info.preview),
    seq,
    key,
  );
}

/** What is known of a session after more entries. */
export function infoWith(info: SessionInfo, entries: readonly SessionEntry[]): SessionInfo {
  let { name, preview, updated, ...rest } = info;
  for (const entry of entries) {
    updated = entry.at;
    if (entry.kind === "name") name = entry.name ?? undefined;
    preview ??= previewOf(entry);
  }
  return {
    ...rest,
    updated,
    ...(name === undefined ? {} : { name }),
    ...(preview === undefined ? {} : { preview }),
  };
}
