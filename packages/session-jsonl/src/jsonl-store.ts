import type { FileHandle } from "node:fs/promises";
import {
  acceptEntries,
  type CommitOptions,
  checkLogQuery,
  type LogQuery,
  type SessionDamage,
  type SessionEntry,
  SessionError,
  type SessionInfo,
  type StoredSession,
  selectEntries,
} from "@ashlar/context";
import type { BatchWriter } from "./batch-writer.js";
import { flatten } from "./flatten.js";
import { type Digest, type Header, infoOf } from "./format.js";
import type { SessionLock } from "./lock/session-lock.js";
import { scanKinds, scanSession } from "./session-scan.js";

export interface JsonlStoreOptions {
  readonly id: string;
  readonly file: string;
  readonly handle: FileHandle;
  readonly header: Header;
  readonly digest: Digest;
  /** Undefined: opened for reading. */
  readonly writing: { readonly lock: SessionLock; readonly writer: BatchWriter } | undefined;
  /** What opening found. */
  readonly damage: readonly SessionDamage[];
}

/** So many findings are kept; the file may be megabytes of damage. */
const MAX_DAMAGE = 100;

/** One session file that is open. */
export class JsonlStore implements StoredSession {
  readonly #options: JsonlStoreOptions;
  #damage: readonly SessionDamage[] = [];
  #lastSeq: number;
  #closing: Promise<void> | undefined;

  constructor(options: JsonlStoreOptions) {
    this.#options = options;
    this.#lastSeq = options.digest.seq;
  }

  get info(): SessionInfo {
    const { id, header, digest, writing } = this.#options;
    return infoOf(id, header, writing?.writer.digest ?? digest);
  }

  get damage(): readonly SessionDamage[] {
    return [...this.#options.damage, ...this.#damage];
  }

  readonly load = async (): Promise<readonly SessionEntry[]> => {
    const entries: SessionEntry[] = [];
    for await (const chunk of this.#chunks()) for (const entry of chunk) entries.push(entry);
    return entries;
  };

  readonly read = (query: LogQuery = {}): AsyncIterable<SessionEntry> => {
    const { kinds } = query;
    const entries = flatten(kinds === undefined ? () => this.#chunks() : () => this.#chunksOf(query));
    return Object.keys(query).length === 0 ? entries : selectEntries(entries, query);
  };

  readonly append = async (entries: readonly SessionEntry[], options: CommitOptions = {}): Promise<void> => {
    this.#checkOpen();
    const { writing, id } = this.#options;
    if (writing === undefined)
      throw new SessionError("readonly", `the session ${id} was opened for reading`, { id });
    const own = acceptEntries(this.#lastSeq, entries, { serialises: true });
    this.#lastSeq = own.at(-1)?.seq ?? this.#lastSeq;
    await writing.writer.append(own, options);
  };

  readonly close = (): Promise<void> => {
    this.#closing ??= this.#close();
    return this.#closing;
  };

  async #close(): Promise<void> {
    const { writing, handle } = this.#options;
    await writing?.writer.settled();
    await handle.close();
    await writing?.lock.release();
  }

  async *#chunks(): AsyncGenerator<readonly SessionEntry[], void, undefined> {
    this.#checkOpen();
    const { file, handle, header } = this.#options;
    const { size } = await handle.stat();
    const found: SessionDamage[] = [];
    const report = (damage: SessionDamage): void => {
      if (found.length < MAX_DAMAGE) found.push(damage);
    };
    for await (const entries of scanSession({ file, handle, size, version: header.version, report })) {
      yield entries;
      this.#checkOpen();
    }
    this.#damage = found;
  }

  async *#chunksOf(query: LogQuery): AsyncGenerator<readonly SessionEntry[], void, undefined> {
    checkLogQuery(query);
    const { header, handle } = this.#options;
    if (header.version === 1) {
      yield* this.#chunks();
      return;
    }
    this.#checkOpen();
    const { size } = await handle.stat();
    for await (const entries of scanKinds(handle, size, query.kinds ?? [])) {
      yield entries;
      this.#checkOpen();
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined)
      throw new SessionError("closed", "this session store is closed; open it again", {});
  }
}
