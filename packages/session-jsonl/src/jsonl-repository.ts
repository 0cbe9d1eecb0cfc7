import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  checkLimit,
  checkSessionId,
  createUuid7,
  forkEnd,
  forkedEntries,
  resolveSessionId,
  type SearchHit,
  type SearchOptions,
  type SessionDamage,
  type SessionEntry,
  SessionError,
  type SessionInfo,
  type SessionRepository,
} from "@ashlar/context";
import type { Sync } from "./batch-writer.js";
import { codeOf, readError, storageError } from "./file-error.js";
import { FORMAT_VERSION, type Header, infoOf } from "./format.js";
import { LOCK_TIMES, type LockTimes } from "./lock/session-lock.js";
import { lockSession, openFile, openForReading, openForWriting, type SessionPlace } from "./open-session.js";
import { publish, syncFolder } from "./publish.js";
import { rewriteSession, stageSession } from "./rewrite-session.js";
import { searchSessions } from "./search-sessions.js";
import { readSummary } from "./session-summary.js";
import { sweep } from "./sweep.js";

export interface JsonlRepositoryOptions {
  /** Where the sessions are kept, one file each. Made when it is needed. */
  readonly folder: string;
  /** Default `durable`: a durable commit is forced to the disk. */
  readonly sync?: Sync;
  readonly lock?: Partial<LockTimes>;
}

/** What a repair did. */
export interface RepairReport {
  /** Entries that the session has now. */
  readonly entries: number;
  /** What was wrong, by place in the original. */
  readonly damage: readonly SessionDamage[];
  /** The original, as it was. */
  readonly backup: string;
}

export interface JsonlRepository extends SessionRepository {
  /** Writes the session anew from what can be read of it; the original is kept beside it. */
  readonly repair: (id: string) => Promise<RepairReport>;
}

const SUFFIX = ".jsonl";
const DEFAULT_LIMIT = 50;

/** Sessions as files in one folder. */
export function createJsonlRepository(options: JsonlRepositoryOptions): JsonlRepository {
  return new FolderRepository(options);
}

class FolderRepository implements JsonlRepository {
  readonly #folder: string;
  readonly #sync: Sync;
  readonly #lock: LockTimes;
  readonly #nextId = createUuid7(Date.now, (bytes) => crypto.getRandomValues(bytes));

  constructor({ folder, sync = "durable", lock = {} }: JsonlRepositoryOptions) {
    this.#folder = folder;
    this.#sync = sync;
    this.#lock = { ...LOCK_TIMES, ...lock };
  }

  readonly create: SessionRepository["create"] = async ({
    name,
    id = this.#nextId(),
    created = Date.now(),
    ...rest
  } = {}) => {
    const header: Header = { ...rest, version: FORMAT_VERSION, id, created };
    const entries: readonly SessionEntry[] = name === undefined ? [] : [this.#nameEntry(1, name)];
    const place = this.#place(id);
    await this.#publish(place, header, entries);
    return openForWriting(place, { sync: this.#sync, lock: this.#lock });
  };

  readonly open: SessionRepository["open"] = async (id, { readonly = false } = {}) => {
    const place = this.#place(await this.#resolve(id));
    return readonly ? openForReading(place) : openForWriting(place, { sync: this.#sync, lock: this.#lock });
  };

  readonly find: SessionRepository["find"] = async (id) => this.#info(this.#place(await this.#resolve(id)));

  readonly list: SessionRepository["list"] = async ({ cwd, limit = DEFAULT_LIMIT } = {}) => {
    checkLimit(limit);
    const found: SessionInfo[] = [];
    for (const place of await this.#newestFirst()) {
      const info = await this.#infoOrNone(place);
      if (info !== undefined && (cwd === undefined || info.cwd === cwd)) found.push(info);
      if (found.length === limit) break;
    }
    return found.sort((a, b) => b.updated - a.updated);
  };

  readonly latest: SessionRepository["latest"] = async (options = {}) =>
    (await this.list({ ...options, limit: 1 }))[0];

  readonly rename: SessionRepository["rename"] = async (id, name) => {
    const store = await this.open(id);
    try {
      let seq = 0;
      for await (const entry of store.read()) seq = entry.seq;
      await store.append([this.#nameEntry(seq + 1, name)]);
    } finally {
      await store.close();
    }
  };

  readonly delete: SessionRepository["delete"] = async (id) => {
    if (!(await this.#ids()).includes(id)) return false;
    const place = this.#place(id);
    const lock = await lockSession(place, this.#lock);
    try {
      await rm(place.file);
      return true;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return false;
      throw storageError(error, `cannot delete ${place.file}`, id);
    } finally {
      await lock.release();
    }
  };

  readonly fork: SessionRepository["fork"] = async (
    id,
    { id: newId = this.#nextId(), cwd, ...target } = {},
  ) => {
    const source = await this.open(id, { readonly: true });
    try {
      const plan = await forkEnd(source.read(), target);
      const { info } = source;
      const { end, taken } = plan;
      const header: Header = {
        version: FORMAT_VERSION,
        id: newId,
        created: Date.now(),
        parent: { session: info.id, ...(end === null || taken === undefined ? {} : { entry: end }) },
        ...((cwd ?? info.cwd) === undefined ? {} : { cwd: cwd ?? info.cwd ?? "" }),
        ...(info.settings === undefined ? {} : { settings: info.settings }),
      };
      const place = this.#place(newId);
      await this.#publish(place, header, forkedEntries(source.read(), plan));
      return await this.#info(place);
    } finally {
      await source.close();
    }
  };

  readonly repair: JsonlRepository["repair"] = async (id) => {
    const place = this.#place(await this.#resolve(id));
    const lock = await lockSession(place, this.#lock);
    try {
      const staged = `${place.file}.${lock.owner.token}.tmp`;
      const { backup, damage, entries } = await rewriteSession(place, staged, () => "damaged");
      return { backup, damage, entries };
    } catch (error) {
      throw storageError(error, `cannot repair ${place.file}`, place.id);
    } finally {
      await lock.release();
    }
  };

  readonly search: SessionRepository["search"] = (text, options = {}) => this.#search(text, options);

  async *#search(text: string, options: SearchOptions): AsyncGenerator<SearchHit, void, undefined> {
    yield* searchSessions(text, options, async () => {
      const places = await this.#newestFirst();
      if (options.cwd === undefined) return places;
      const infos = await Promise.all(places.map((place) => this.#infoOrNone(place)));
      return places.filter((_, index) => infos[index]?.cwd === options.cwd);
    });
  }

  #place(id: string): SessionPlace {
    checkSessionId(id);
    return { id, file: join(this.#folder, `${id}${SUFFIX}`) };
  }

  async #resolve(id: string): Promise<string> {
    return resolveSessionId(id, await this.#ids());
  }

  async #ids(): Promise<readonly string[]> {
    try {
      const names = await readdir(this.#folder);
      return names.filter(isSessionFile).map((name) => name.slice(0, -SUFFIX.length));
    } catch (error) {
      // Nobody has kept a session here yet.
      if (codeOf(error) === "ENOENT") return [];
      throw readError(error, `cannot list ${this.#folder}`);
    }
  }

  /** By the time of the files: the newest ones are looked into first, the others not at all. */
  async #newestFirst(): Promise<readonly SessionPlace[]> {
    const places = (await this.#ids()).map((id) => this.#place(id));
    const dated = await Promise.all(
      places.map(async (place) => ({ place, at: await changedAt(place.file) })),
    );
    return dated.sort((a, b) => b.at - a.at).map(({ place }) => place);
  }

  async #infoOrNone(place: SessionPlace): Promise<SessionInfo | undefined> {
    try {
      return await this.#info(place);
    } catch {
      // A list shows what there is; opening such a file says what is wrong with it.
      return undefined;
    }
  }

  async #info(place: SessionPlace): Promise<SessionInfo> {
    try {
      return await this.#read(place);
    } catch (error) {
      throw readError(error, `cannot read ${place.file}`);
    }
  }

  async #read({ id, file }: SessionPlace): Promise<SessionInfo> {
    const handle = await openFile(file, "r", id);
    try {
      const { header, digest, hasEntries } = await readSummary(handle);
      if (header === undefined && !hasEntries) {
        const at = `${file}:1`;
        throw new SessionError("damaged", `${at}: this is no session`, { at });
      }
      const known = header ?? { version: FORMAT_VERSION, id, created: (await handle.stat()).mtimeMs };
      return infoOf(id, known, digest);
    } finally {
      await handle.close();
    }
  }

  async #publish(
    { id, file }: SessionPlace,
    header: Header,
    entries: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
  ): Promise<void> {
    const staged = `${file}.${randomUUID()}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await sweep(this.#folder);
      if ((await this.#ids()).includes(id)) throw taken(id);
      await stageSession(staged, header, entries);
      if (!(await publish(staged, file))) throw taken(id);
      if (this.#sync !== "never") await syncFolder(this.#folder);
    } catch (error) {
      // Where nothing can be made nothing can be removed either; the first failure is the one to tell.
      await rm(staged, { force: true }).catch(() => undefined);
      throw storageError(error, `cannot create ${file}`, id);
    }
  }

  #nameEntry(seq: number, name: string | null): SessionEntry {
    return { id: this.#nextId(), seq, parent: null, at: Date.now(), kind: "name", name };
  }
}

function isSessionFile(name: string): boolean {
  if (!name.endsWith(SUFFIX)) return false;
  try {
    checkSessionId(name.slice(0, -SUFFIX.length));
    return true;
  } catch {
    // A file of somebody else's.
    return false;
  }
}

function taken(id: string): SessionError<"exists"> {
  return new SessionError("exists", `there is a session ${id} already`, { id });
}

async function changedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    // Deleted meanwhile; looking into it will say so.
    return 0;
  }
}
