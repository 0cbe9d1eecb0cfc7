import { frozenCopy } from "../json/frozen-copy.js";
import { acceptEntries } from "./accept-entries.js";
import type { SessionEntry } from "./entry.js";
import { SessionFacts } from "./facts.js";
import { forkEnd, forkedEntries } from "./fork.js";
import { checkLimit } from "./log-query.js";
import { createMemoryStore } from "./memory-store.js";
import { previewOf } from "./preview.js";
import type { CreateSessionOptions, SessionRepository } from "./repository.js";
import { SearchScan } from "./search.js";
import { SessionError } from "./session-error.js";
import { checkSessionId, resolveSessionId } from "./session-id.js";
import type { SessionInfo, SessionStore, StoredSession } from "./store.js";
import { type Clock, createUuid7, type Randomness } from "./uuid.js";

const DEFAULT_LIMIT = 50;

interface Held {
  readonly created: number;
  readonly options: CreateSessionOptions;
  readonly entries: SessionEntry[];
  /** Epoch milliseconds since when somebody writes. */
  writer: number | undefined;
}

export interface MemoryRepositoryOptions {
  readonly now?: Clock;
  readonly random?: Randomness;
}

/** Sessions that live as long as the process. */
export function createMemoryRepository({
  now = Date.now,
  random = (bytes) => crypto.getRandomValues(bytes),
}: MemoryRepositoryOptions = {}): SessionRepository {
  return new MemoryRepository(now, createUuid7(now, random));
}

class MemoryRepository implements SessionRepository {
  readonly #sessions = new Map<string, Held>();
  readonly #now: Clock;
  readonly #nextId: () => string;

  constructor(now: Clock, nextId: () => string) {
    this.#now = now;
    this.#nextId = nextId;
  }

  readonly create: SessionRepository["create"] = async (options = {}) => {
    const id = this.#insert(options, []);
    if (options.name === undefined) return this.#store(id, false);
    await this.rename(id, options.name);
    return this.#store(id, false);
  };

  readonly open: SessionRepository["open"] = async (id, options = {}) =>
    this.#store(this.#resolve(id), options.readonly === true);

  readonly find: SessionRepository["find"] = async (id) => this.#info(this.#resolve(id));

  readonly list: SessionRepository["list"] = async ({ cwd, limit = DEFAULT_LIMIT } = {}) => {
    checkLimit(limit);
    return [...this.#sessions.keys()]
      .map((id) => this.#info(id))
      .filter((info) => cwd === undefined || info.cwd === cwd)
      .sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
      .slice(0, limit);
  };

  readonly latest: SessionRepository["latest"] = async (options = {}) =>
    (await this.list({ ...options, limit: 1 }))[0];

  readonly rename: SessionRepository["rename"] = async (id, name) => {
    const store = await this.open(id);
    try {
      const seq = (await store.load()).at(-1)?.seq ?? 0;
      const stamp = { id: this.#nextId(), seq: seq + 1, parent: null, at: this.#now() };
      await store.append([{ ...stamp, kind: "name", name }]);
    } finally {
      await store.close();
    }
  };

  readonly delete: SessionRepository["delete"] = async (id) => {
    const held = this.#sessions.get(id);
    if (held?.writer !== undefined) throw locked(id, held.writer);
    return this.#sessions.delete(id);
  };

  readonly fork: SessionRepository["fork"] = async (id, { id: newId, cwd, ...target } = {}) => {
    const source = this.#resolve(id);
    const { entries, options } = this.#held(source);
    const read = () => createMemoryStore(entries).read();
    const plan = await forkEnd(read(), target);
    const copied: SessionEntry[] = [];
    for await (const entry of forkedEntries(read(), plan)) copied.push(entry);
    const own: CreateSessionOptions = {
      ...(newId === undefined ? {} : { id: newId }),
      ...optional("cwd", cwd ?? options.cwd),
      ...optional("settings", options.settings),
      parent: {
        session: source,
        ...(plan.end === null || plan.taken === undefined ? {} : { entry: plan.end }),
      },
    };
    return this.#info(this.#insert(own, copied));
  };

  readonly search: SessionRepository["search"] = (text, options = {}) => this.#search(text, options);

  async *#search(...[text, options = {}]: Parameters<SessionRepository["search"]>): ReturnType<typeof hits> {
    const scan = new SearchScan(text, options);
    for (const [id, { entries, options: own }] of this.#sessions) {
      if (options.cwd !== undefined && own.cwd !== options.cwd) continue;
      for (const entry of entries) {
        options.signal?.throwIfAborted();
        scan.look(id, entry);
      }
    }
    yield* hits(scan, options.signal);
  }

  #insert(options: CreateSessionOptions, entries: SessionEntry[]): string {
    const id = options.id ?? this.#nextId();
    checkSessionId(id);
    if (this.#sessions.has(id)) throw new SessionError("exists", `there is a session ${id} already`, { id });
    this.#sessions.set(id, {
      created: options.created ?? this.#now(),
      options: frozenCopy(options, "options"),
      entries,
      writer: undefined,
    });
    return id;
  }

  #resolve(id: string): string {
    return resolveSessionId(id, [...this.#sessions.keys()]);
  }

  #held(id: string): Held {
    const held = this.#sessions.get(id);
    if (held === undefined) throw new SessionError("missing", `there is no session ${id}`, { id });
    return held;
  }

  #info(id: string): SessionInfo {
    const { created, options, entries } = this.#held(id);
    const facts = new SessionFacts();
    for (const entry of entries) facts.apply(entry);
    return {
      id,
      created,
      updated: entries.at(-1)?.at ?? created,
      ...optional("cwd", options.cwd),
      ...optional("name", facts.name),
      ...optional(
        "preview",
        entries.map(previewOf).find((text) => text !== undefined),
      ),
      ...optional("parent", options.parent),
      ...optional("settings", options.settings),
    };
  }

  #store(id: string, isReadonly: boolean): StoredSession {
    const held = this.#held(id);
    if (!isReadonly && held.writer !== undefined) throw locked(id, held.writer);
    if (!isReadonly) held.writer = this.#now();
    const inner = createMemoryStore(held.entries);
    const infoOf = (): SessionInfo => this.#info(id);
    return {
      ...inner,
      damage: [],
      get info() {
        return infoOf();
      },
      append: async (entries, options) => {
        if (isReadonly)
          throw new SessionError("readonly", `the session ${id} was opened for reading`, { id });
        const own = acceptEntries(held.entries.at(-1)?.seq ?? 0, entries);
        await inner.append(own, options);
        held.entries.push(...own);
      },
      close: releasing(inner, () => {
        if (!isReadonly) held.writer = undefined;
      }),
    };
  }
}

function releasing(store: SessionStore, release: () => void): () => Promise<void> {
  let isOpen = true;
  return async () => {
    await store.close();
    if (isOpen) release();
    isOpen = false;
  };
}

async function* hits(scan: SearchScan, signal: AbortSignal | undefined) {
  for (const hit of scan.hits) {
    signal?.throwIfAborted();
    yield hit;
  }
}

function locked(id: string, since: number): SessionError<"locked"> {
  return new SessionError(
    "locked",
    `the session ${id} is open for writing since ${new Date(since).toISOString()}; close it there first`,
    { id, since },
  );
}

function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  // A record of one computed key is wider than its literal.
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
