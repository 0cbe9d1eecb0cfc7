import {
  Context,
  createAssembler,
  createMemoryStore,
  messageAssistant,
  messageUser,
  type SessionEntry,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { failureOf, placeOf, rejectionOf } from "../support/failure.js";

const texts = (context: Context): readonly unknown[] =>
  context
    .messages()
    .map(({ content }) => content.map((block) => ("text" in block ? block.text : block.type)).join("|"));

describe("entries", () => {
  const clock = () => {
    let at = 1_000;
    return () => {
      at += 1;
      return at;
    };
  };

  async function entriesAfter(change: (context: Context) => void): Promise<readonly SessionEntry[]> {
    const store = createMemoryStore();
    const context = new Context({ store, now: clock() });
    change(context);
    await context.flush();
    return store.load();
  }

  it("are one per change, numbered, stamped and chained", async () => {
    const entries = await entriesAfter((context) => {
      context.append(messageUser("a"));
      context.append({ type: "note" });
      context.edit(0, messageUser("b"));
    });
    expect(entries.map(({ kind }) => kind)).toEqual(["message", "record", "edit"]);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(entries.map(({ parent }) => parent)).toEqual([null, entries[0]?.id, entries[1]?.id]);
    for (const { id, at } of entries) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Math.abs(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - at)).toBeLessThanOrEqual(1);
    }
    expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).sort());
  });

  it("of a rollback only move the leaf", async () => {
    const entries = await entriesAfter((context) => {
      for (const text of ["a", "b", "c"]) {
        context.append(messageUser(text));
        context.append(messageAssistant(text));
      }
      context.rollback(2);
    });
    expect(entries).toHaveLength(7);
    expect(entries[6]).toMatchObject({ kind: "leaf", reason: "rollback", to: entries[1]?.id });
  });

  it("of a rollback behind a later edit name what goes", async () => {
    const entries = await entriesAfter((context) => {
      context.append(messageUser("a"));
      context.append(messageAssistant("b"));
      context.edit(0, messageUser("z"));
      context.rollback(1);
      expect(texts(context)).toEqual(["z"]);
    });
    expect(entries[3]).toMatchObject({ kind: "remove", targets: [entries[1]?.id] });
  });

  it("keep ids in order when the clock steps back", async () => {
    const times = [5_000, 4_000, 4_000, 4_000, 9_000, 1];
    const store = createMemoryStore();
    const context = new Context({ store, id: "s", now: () => times.shift() ?? 1 });
    for (const text of ["a", "b", "c"]) context.append(messageUser(text), { merge: false });
    await context.flush();
    const ids = (await store.load()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toEqual([...ids].sort());
  });

  it("come back from the store sealed, so that a resumed prefix stays as it was", async () => {
    const store = createMemoryStore(await entriesAfter((context) => context.append(messageUser("a"))));
    const context = await Context.open({ store });
    context.append(messageUser("b"));
    expect(texts(context)).toEqual(["a", "b"]);
    await context.flush();
    expect(texts(await Context.open({ store }))).toEqual(["a", "b"]);
  });

  it("with half an emoji in them open, and no other character changes", () => {
    const line =
      '{"id":"a","seq":1,"parent":null,"at":1,"kind":"message","message":{"type":2,"content":[{"type":"text","text":"é🙂 cut here \\ud83d"}]}}';
    const entries: readonly SessionEntry[] = [JSON.parse(line)];
    expect(texts(new Context({ entries }))).toEqual(["é🙂 cut here \ufffd"]);
  });

  it("may hold arguments as deep as a response may bring", async () => {
    for (let depth = 495; depth < 520; depth += 1) {
      const assembler = createAssembler();
      assembler.push({ type: "tool_call_start", contentIndex: 0, callId: "a", name: "x" });
      assembler.push({
        type: "tool_call_delta",
        contentIndex: 0,
        arguments: "[".repeat(depth) + "]".repeat(depth),
      });
      assembler.push({ type: "done" });
      const entries = await entriesAfter((context) => context.append(assembler.message()));
      const written: readonly SessionEntry[] = JSON.parse(JSON.stringify(entries));
      expect(new Context({ entries: written }).at(0)).toEqual(assembler.message());
    }
  });

  it.each([
    { why: "no object", entry: 5, at: "entries[0]" },
    {
      why: "a kind nobody knows",
      entry: { id: "a", seq: 1, at: 1, parent: null, kind: "hologram" },
      at: "entries[0].kind",
    },
    {
      why: "no message in it",
      entry: { id: "a", seq: 1, at: 1, parent: null, kind: "message", message: { type: 9 } },
      at: "entries[0].message.type",
    },
    {
      why: "a parent that is not there",
      entry: { id: "a", seq: 1, at: 1, parent: "b", kind: "record", record: { type: "n" } },
      at: "entry a",
    },
    {
      why: "a seq that does not rise",
      entry: { id: "a", seq: 0, at: 1, parent: null, kind: "record", record: { type: "n" } },
      at: "entry a",
    },
    {
      why: "targets that are no ids",
      entry: { id: "a", seq: 1, at: 1, parent: null, kind: "remove", targets: [1] },
      at: "entries[0].targets",
    },
  ])("that are damaged are refused by place: $why", ({ entry, at }) => {
    const entries: readonly SessionEntry[] = JSON.parse(JSON.stringify([entry]));
    expect(placeOf(() => new Context({ entries }))).toBe(at);
  });
});

describe("flush", () => {
  it("hands entries over in order, each once, also when called again meanwhile", async () => {
    const batches: (readonly SessionEntry[])[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = (): void => undefined;
    const start = new Promise<void>((resolve) => {
      started = resolve;
    });
    const inner = createMemoryStore();
    const store = {
      ...inner,
      append: async (entries: readonly SessionEntry[]) => {
        batches.push(entries);
        started();
        await gate;
        await inner.append(entries);
      },
    };
    const context = new Context({ store });
    context.append(messageUser("a"));
    const first = context.flush();
    await start;
    context.append(messageAssistant("b"));
    const second = context.flush();
    release();
    await Promise.all([first, second, context.flush()]);
    expect(batches.map((batch) => batch.map(({ seq }) => seq))).toEqual([[1], [2]]);
    expect((await inner.load()).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("that fails ends all writing and says so; reading goes on", async () => {
    const full = new Error("disk is full");
    const store = { ...createMemoryStore(), append: () => Promise.reject(full) };
    const context = new Context({ store, items: [messageUser("a")] });
    const failure = await rejectionOf(context.flush());
    expect(failure.kind).toBe("storage");
    expect(failure.message).toContain("disk is full");
    expect(failure.cause).toBe(full);
    expect(failure.details).toEqual({ unsaved: 1 });
    for (const change of [
      () => context.append(messageUser("b")),
      () => context.prepend(messageUser("b")),
      () => context.edit(0, messageUser("b")),
      () => context.rollback(0),
      () => context.remove([0]),
      () => context.undo(),
    ]) {
      expect(failureOf(change).kind).toBe("storage");
    }
    expect((await rejectionOf(context.flush())).kind).toBe("storage");
    expect(texts(context)).toEqual(["a"]);
  });

  it("happens on close, after which nothing can be written", async () => {
    const store = createMemoryStore();
    const kept: SessionEntry[] = [];
    const context = new Context({
      store: { ...store, append: async (entries) => void kept.push(...entries) },
    });
    context.append(messageUser("a"));
    await Promise.all([context.close(), context.close()]);
    expect(kept).toHaveLength(1);
    expect(failureOf(() => context.append(messageUser("b"))).kind).toBe("closed");
    await expect(store.load()).rejects.toMatchObject({ name: "SessionError", kind: "closed" });
  });

  it("says whether a store keeps what is flushed", () => {
    expect([new Context().stored, new Context({ items: [messageUser("a")] }).stored]).toEqual([false, false]);
    const context = new Context({ store: createMemoryStore() });
    expect(context.stored).toBe(true);
    context.append(messageUser("a"));
    expect(context.stored).toBe(true);
  });

  it("needs no store", async () => {
    const context = new Context({ items: [messageUser("a")] });
    await context.flush();
    expect(context.stored).toBe(false);
    await context.close();
    expect(failureOf(() => context.append(messageUser("b"))).kind).toBe("closed");
  });
});
