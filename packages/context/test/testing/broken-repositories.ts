import {
  type CommitOptions,
  createMemoryRepository,
  type LogQuery,
  type SessionEntry,
  SessionError,
  type SessionRepository,
  type StoredSession,
} from "@ashlar/context";

export interface BrokenStore {
  /** What is wrong with it. */
  readonly flaw: string;
  /** What the failure of the cases says. */
  readonly says: RegExp;
  /** The cases that have to find it. */
  readonly fails: readonly string[];
  readonly create: () => SessionRepository;
}

type Store = (store: StoredSession) => StoredSession;

/** A memory repository of which every store is changed. Getters of the store go on working. */
function withStores(change: Store): SessionRepository {
  const inner = createMemoryRepository();
  return {
    ...inner,
    create: async (options) => change(await inner.create(options)),
    open: async (id, options) => change(await inner.open(id, options)),
  };
}

function changed(store: StoredSession, members: Partial<StoredSession>): StoredSession {
  return Object.create(store, Object.getOwnPropertyDescriptors(members));
}

async function* filtered(entries: AsyncIterable<SessionEntry>, keep: (entry: SessionEntry) => boolean) {
  for await (const entry of entries) if (keep(entry)) yield entry;
}

/** Stores that people have written, each with one mistake. */
export const brokenStores: readonly BrokenStore[] = [
  {
    flaw: "it dates every session by its own clock",
    says: /the times of the new session/,
    fails: ["a session that was made elsewhere keeps its time"],
    create: () => {
      const inner = createMemoryRepository();
      return { ...inner, create: ({ created: _, ...options } = {}) => inner.create(options) };
    },
  },
  {
    flaw: "it forgets custom entries",
    says: /what is read while open/,
    fails: ["entries of every kind come back as they were appended"],
    create: () =>
      withStores((store) =>
        changed(store, { read: (query) => filtered(store.read(query), ({ kind }) => kind !== "custom") }),
      ),
  },
  {
    flaw: "it renumbers what it is given instead of refusing it",
    says: /a seq that is taken/,
    fails: ["an entry whose seq does not rise is refused and nothing of its batch is kept"],
    create: () =>
      withStores((store) => {
        let seq = 0;
        return changed(store, {
          append: (entries, options) => {
            const numbered = entries.map((entry) => {
              seq = Math.max(seq + 1, entry.seq);
              return { ...entry, seq };
            });
            return store.append(numbered, options);
          },
        });
      }),
  },
  {
    flaw: "it keeps the first part of a batch that it refuses",
    says: /the entries: /,
    fails: ["an entry whose seq does not rise is refused and nothing of its batch is kept"],
    create: () =>
      withStores((store) =>
        changed(store, {
          append: async (entries, options) => {
            for (const entry of entries) await store.append([entry], options);
          },
        }),
      ),
  },
  {
    flaw: "it turns what JSON cannot hold into null",
    says: /number in a message/,
    fails: ["what JSON cannot hold is refused and nothing of its batch is kept"],
    create: () =>
      withStores((store) =>
        changed(store, {
          append: (entries, options) =>
            store.append(
              entries.map((entry) =>
                JSON.parse(JSON.stringify(entry, (_, value) => (typeof value === "bigint" ? null : value))),
              ),
              options,
            ),
        }),
      ),
  },
  {
    flaw: "it writes later and says that it has written",
    says: /what is read while open|the entries: 1; came 0/,
    fails: [
      "entries of every kind come back as they were appended",
      "a durable commit works with entries and without any",
    ],
    create: () =>
      withStores((store) =>
        changed(store, {
          append: async (entries: readonly SessionEntry[], options?: CommitOptions) => {
            setTimeout(() => void store.append(entries, options).catch(() => undefined), 5);
          },
        }),
      ),
  },
  {
    flaw: "its limit counts entries before the filter",
    says: /"lane":"side","limit":2/,
    fails: ["a log query filters by kind, lane and seq, oldest first, up to its limit"],
    create: () =>
      withStores((store) =>
        changed(store, {
          read: ({ kinds, lane, ...query }: LogQuery = {}) =>
            filtered(
              store.read(query),
              (entry) =>
                (kinds === undefined || kinds.includes(entry.kind)) &&
                (lane === undefined || (entry.lane ?? "main") === lane),
            ),
        }),
      ),
  },
  {
    flaw: "it takes a query that makes no sense",
    says: /"limit":0/,
    fails: ["a query that makes no sense is refused, also on an empty session"],
    create: () =>
      withStores((store) =>
        changed(store, {
          read: (query = {}) => store.read(query.limit === undefined || query.limit >= 1 ? query : {}),
        }),
      ),
  },
  {
    flaw: "it loses which lane an entry is on",
    says: /the lane's texts/,
    fails: ["lanes share one tree and keep their own leaf"],
    create: () =>
      withStores((store) =>
        changed(store, {
          append: (entries, options) =>
            store.append(
              entries.map(({ lane: _, ...entry }) => entry),
              options,
            ),
        }),
      ),
  },
  {
    flaw: "it drops the journal",
    says: /the open operation|the statistics/,
    fails: [
      "an operation that was not finished is open after another start, with what it had begun",
      "statistics add up over branches and starts, and say who answered last",
    ],
    create: () =>
      withStores((store) =>
        changed(store, {
          append: (entries, options) =>
            store.append(
              entries.filter(({ kind }) => kind !== "journal"),
              options,
            ),
        }),
      ),
  },
  {
    flaw: "it loses that changes were made as one",
    says: /the texts: /,
    fails: ["several changes that were made as one are undone as one after another start"],
    create: () =>
      withStores((store) =>
        changed(store, {
          append: (entries, options) =>
            store.append(
              entries.map(({ joined: _, ...entry }) => entry),
              options,
            ),
        }),
      ),
  },
  {
    flaw: "it has no lock",
    says: /a lock that says since when/,
    fails: ["a session has one writer at a time, in one process too, and may be read meanwhile"],
    create: () => {
      const inner = createMemoryRepository();
      return {
        ...inner,
        open: async (id, options) => {
          try {
            return await inner.open(id, options);
          } catch (error) {
            if (error instanceof SessionError && error.kind === "locked")
              return inner.open(id, { readonly: true });
            throw error;
          }
        },
      };
    },
  },
  {
    flaw: "its lock is never let go",
    says: /is open for writing since/,
    fails: ["a session is created, found, listed and opened"],
    create: () => withStores((store) => changed(store, { close: async () => undefined })),
  },
  {
    flaw: "it opens the first session that has the prefix",
    says: /an id that is a prefix of others/,
    fails: ["a prefix opens the one session that has it"],
    create: () => {
      const inner = createMemoryRepository();
      // The first from behind, so that it does not depend on how fast they were written, and is no exact match by luck.
      const first = async (prefix: string): Promise<string> => {
        const ids = (await inner.list()).map(({ id }) => id).sort();
        return ids.findLast((id) => id.startsWith(prefix)) ?? prefix;
      };
      return { ...inner, find: async (id) => inner.find(await first(id)) };
    },
  },
  {
    flaw: "it lists the oldest first",
    says: /all: /,
    fails: ["the list is newest first, bounded, and by folder"],
    create: () => {
      const inner = createMemoryRepository();
      return { ...inner, list: async (options) => (await inner.list(options)).toReversed() };
    },
  },
  {
    flaw: "its fork takes the journal along",
    says: /what it spent/,
    fails: ["a branch forks with its name and its labels, renumbered, without journal and usage"],
    create: () => {
      const inner = createMemoryRepository();
      return {
        ...inner,
        fork: async (id, options) => {
          const fork = await inner.fork(id, options);
          const [source, target] = [await inner.open(id, { readonly: true }), await inner.open(fork.id)];
          let seq = (await target.load()).at(-1)?.seq ?? 0;
          for await (const entry of source.read({ kinds: ["journal"] })) {
            seq += 1;
            await target.append([{ ...entry, seq }]);
          }
          await target.close();
          return fork;
        },
      };
    },
  },
  {
    flaw: "its search matches whole words of three letters and more",
    says: /CJK/,
    fails: ["search finds short words, CJK and any case, best first and bounded"],
    create: () => {
      const inner = createMemoryRepository();
      const none = async function* () {};
      return {
        ...inner,
        search: (text, options) => (text.trim().length < 3 ? none() : inner.search(text, options)),
      };
    },
  },
  {
    flaw: "its delete says yes to everything",
    says: /the second delete/,
    fails: ["delete takes one session away, and says when there is none"],
    create: () => {
      const inner = createMemoryRepository();
      return { ...inner, delete: async (id) => (await inner.delete(id)) || true };
    },
  },
  {
    flaw: "a store that was closed can still be used",
    says: /a load after close/,
    fails: ["close takes along what was appended, may be called twice, and ends all use"],
    create: () => {
      const inner = createMemoryRepository();
      return {
        ...inner,
        create: async (options) => {
          const store = await inner.create(options);
          const { id } = store.info;
          return changed(store, {
            load: async () => {
              const again = await inner.open(id, { readonly: true });
              return again.load();
            },
          });
        },
      };
    },
  },
];
