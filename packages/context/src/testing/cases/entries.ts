import type { SessionEntry } from "../../session/entry.js";
import { NO_USAGE } from "../../usage.js";
import { expectRefusal, expectSame, expectThat } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { assistant, collect, entriesIn, entry, storedEntries, user, withStore } from "../session-kit.js";

/** One entry of every kind. */
const everyKind: readonly SessionEntry[] = [
  entry(1),
  { id: "r", seq: 2, parent: "e1", at: 2, kind: "record", record: { type: "note", text: "n" } },
  { id: "ed", seq: 3, parent: "r", at: 3, kind: "edit", targets: ["e1"], item: user("edited") },
  { id: "p", seq: 4, parent: "ed", at: 4, kind: "prepend", item: user("first") },
  { id: "rm", seq: 5, parent: "p", at: 5, kind: "remove", targets: ["r"], joined: true },
  { id: "cu", seq: 6, parent: "rm", at: 6, kind: "custom", name: "host", data: { a: [1, null, true] } },
  { id: "l", seq: 7, parent: "cu", at: 7, kind: "leaf", to: "p", reason: "move" },
  {
    id: "s",
    seq: 8,
    parent: "p",
    at: 8,
    kind: "summary",
    from: "cu",
    message: user("left"),
    details: { files: ["a"] },
  },
  { id: "c", seq: 9, parent: "s", at: 9, kind: "compaction", firstKept: "s", summary: user("sum") },
  { id: "la", seq: 10, parent: "c", at: 10, kind: "label", target: "s", text: "here" },
  { id: "n", seq: 11, parent: "c", at: 11, kind: "name", name: "named" },
  {
    id: "j",
    seq: 12,
    parent: "c",
    at: 12,
    kind: "journal",
    event: { type: "usage", cause: "assistant", usage: NO_USAGE, model: "m" },
  },
  entry(13, { parent: "c", lane: "side", merge: false }),
];

const strange = {
  type: 3,
  content: [
    { type: "text", text: "é🙂 \u0000 \u2028 \ufeff 漢字" },
    { type: "thinking", text: "", signature: "s" },
    { type: "hologram", depth: [[1e-9], {}] },
    {
      type: "toolCall",
      callId: "k",
      name: "n",
      arguments: JSON.parse('{"__proto__":{"id":"x"},"constructor":1}'),
    },
  ],
  provider: { "": null },
} as const;

export const entryCases: readonly StoreConformanceCase[] = [
  {
    name: "entries of every kind come back as they were appended",
    why: "A kind that is lost takes a part of the conversation with it.",
    run: async ({ repository }) => {
      const id = await withStore(repository, async (store) => {
        await store.append(everyKind);
        expectSame("what is read while open", everyKind, await entriesIn(store));
        expectSame("what is loaded while open", everyKind, await store.load());
        return store.info.id;
      });
      expectSame("what is read later", everyKind, await storedEntries(repository, id));
    },
  },
  {
    name: "unknown blocks, fields and strange characters survive",
    why: "Signatures of a provider that change make every later request fail.",
    run: async ({ repository }) => {
      // Literal types of a constant are narrower than a message, whose blocks are an open set.
      const message = JSON.parse(JSON.stringify(strange)) as ReturnType<typeof user>;
      const given = { ...entry(1), message };
      const id = await withStore(repository, async (store) => {
        await store.append([given]);
        return store.info.id;
      });
      const [came] = await storedEntries(repository, id);
      expectThat(JSON.stringify(came) === JSON.stringify(given), `${JSON.stringify(given)}`, came);
    },
  },
  {
    name: "an entry whose seq does not rise is refused and nothing of its batch is kept",
    why: "A second writer would otherwise mix two histories.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        await store.append([entry(1), entry(2)]);
        await expectRefusal("a seq that is taken", "conflict", () => store.append([entry(3), entry(3)]));
        await expectRefusal("a seq of the past", "conflict", () => store.append([entry(1, { id: "again" })]));
        expectSame("the entries", [entry(1), entry(2)], await entriesIn(store));
        await store.append([entry(3)]);
        expectSame("the entries", [entry(1), entry(2), entry(3)], await entriesIn(store));
      });
    },
  },
  {
    name: "an entry whose seq does not rise is refused by a store that was opened anew",
    why: "The counter must come from what is stored, not from memory.",
    run: async ({ repository }) => {
      const id = await withStore(repository, async (store) => {
        await store.append([entry(1), entry(2)]);
        return store.info.id;
      });
      const store = await repository.open(id);
      await expectRefusal("a seq of the past", "conflict", () => store.append([entry(2, { id: "again" })]));
      await store.append([entry(3)]);
      await store.close();
      expectSame(
        "the entries",
        [1, 2, 3],
        (await storedEntries(repository, id)).map(({ seq }) => seq),
      );
    },
  },
  {
    name: "what JSON cannot hold is refused and nothing of its batch is kept",
    why: "NaN becomes null and a cycle breaks the writer: the entry would come back as another one.",
    run: async ({ repository }) => {
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      await withStore(repository, async (store) => {
        for (const wrong of [
          Number.NaN,
          Number.POSITIVE_INFINITY,
          () => 1,
          1n,
          Symbol("s"),
          new Date(0),
          cycle,
        ]) {
          const message = { ...user("x"), extra: wrong };
          await expectRefusal(`${typeof wrong} in a message`, "malformed", () =>
            store.append([entry(1), { ...entry(2), message }]),
          );
        }
        expectSame("the entries", [], await entriesIn(store));
        await store.append([entry(1)]);
      });
    },
  },
  {
    name: "what is no entry is refused",
    why: "An entry that nobody can read is damage that was written on purpose.",
    run: async ({ repository }) => {
      const nameless: SessionEntry = { ...entry(1), id: "" };
      await withStore(repository, async (store) => {
        await expectRefusal("an entry without an id", "malformed", () => store.append([nameless]));
        expectSame("the entries", [], await entriesIn(store));
      });
    },
  },
  {
    name: "appends that nobody waited for keep their order",
    why: "Two lanes, or a message and its usage, are written by code that does not know of each other.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        const all = Array.from({ length: 50 }, (_, index) =>
          entry(index + 1, { lane: index % 2 ? "b" : "a" }),
        );
        await Promise.all(all.map((one) => store.append([one])));
        expectSame("the entries", all, await entriesIn(store));
      });
    },
  },
  {
    name: "entries belong to the store: changing what was given or what was read changes nothing",
    why: "A reader that trims a message for display would rewrite history.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        const message = { type: 2 as const, content: [{ type: "text" as const, text: "as it was" }] };
        const appended = store.append([{ ...entry(1), message }]);
        message.content.push({ type: "text", text: "afterwards" });
        await appended;
        for (const read of [await entriesIn(store), await store.load()]) change(read[0]);
        expectSame("the entry", [entry(1, { text: "as it was" })], await entriesIn(store));
      });
    },
  },
  {
    name: "large entries and many entries come back whole",
    why: "A file that was read is megabytes; a buffer's end must not cut it.",
    run: async ({ repository }) => {
      const all = [
        entry(1, { text: "ü🙂".repeat(300_000) }),
        ...Array.from({ length: 3_000 }, (_, index) =>
          entry(index + 2, { text: `é${"x".repeat(index % 300)}` }),
        ),
      ];
      const id = await withStore(repository, async (store) => {
        await store.append(all);
        return store.info.id;
      });
      const came = await storedEntries(repository, id);
      expectThat(came.length === all.length, `${all.length} entries`, came.length);
      const wrong = came.find((one, index) => JSON.stringify(one) !== JSON.stringify(all[index]));
      expectThat(wrong === undefined, "every entry as it was", wrong?.seq);
    },
  },
  {
    name: "two reads at once, and one that stops early, do not disturb each other",
    why: "A search and a view read the same session.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        await store.append([entry(1), entry(2), entry(3)]);
        for await (const { seq } of store.read()) {
          expectSame("the entries meanwhile", 3, (await entriesIn(store)).length);
          if (seq === 2) break;
        }
        expectSame(
          "the entries after that",
          [1, 2, 3],
          (await collect(store.read())).map(({ seq }) => seq),
        );
      });
    },
  },
  {
    name: "close takes along what was appended, may be called twice, and ends all use",
    why: "The last words of a session are written as the process ends.",
    run: async ({ repository }) => {
      const store = await repository.create();
      const appended = store.append([entry(1)]);
      await Promise.all([store.close(), store.close(), appended]);
      await store.close();
      await expectRefusal("an append after close", "closed", () => store.append([entry(2)]));
      await expectRefusal("a load after close", "closed", () => store.load());
      await expectRefusal("a read after close", "closed", () => entriesIn(store));
      expectSame("the entries", [entry(1)], await storedEntries(repository, store.info.id));
    },
  },
  {
    name: "a durable commit works with entries and without any",
    why: "The end of a turn asks for it whether or not something was left to write.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        await store.append([], { durable: true });
        await store.append([entry(1, { message: assistant("a") })], { durable: true });
        await store.append([], { durable: true });
        expectSame("the entries", 1, (await entriesIn(store)).length);
      });
    },
  },
];

/** Tries to write into what a reader got; frozen data refuses, which is as good. */
function change(read: SessionEntry | undefined): void {
  try {
    if (read !== undefined) Object.assign(read, { at: 0, message: user("changed") });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
