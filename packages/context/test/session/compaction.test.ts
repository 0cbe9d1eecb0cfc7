import {
  Context,
  type ContextItem,
  createMemoryStore,
  cutPositions,
  messageAssistant,
  messageSystem,
  messageToolResult,
  messageUser,
  requestView,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { failureOf } from "../support/failure.js";
import { strictProblems } from "../support/strict-request.js";

const call = (...ids: readonly string[]) =>
  messageAssistant(ids.map((callId) => ({ type: "toolCall", callId, name: "read", arguments: {} })));
const answer = (callId: string) => messageToolResult({ callId, content: `result ${callId}` });

/** Parallel calls, an answer, a single call, and a question that waits. */
const history: readonly ContextItem[] = [
  messageUser("u1"),
  call("A", "B", "C"),
  answer("A"),
  answer("B"),
  answer("C"),
  messageAssistant("a1"),
  messageUser("u2"),
  call("D"),
  answer("D"),
  messageUser("u3"),
];

describe("cut positions", () => {
  it.each([
    { why: "parallel calls", items: history, cuts: [0, 1, 5, 6, 7, 9, 10] },
    { why: "system messages at the head", items: [messageSystem("s"), messageUser("u")], cuts: [1, 2] },
    { why: "calls that wait", items: [messageUser("u"), call("A", "B"), answer("A")], cuts: [0, 1] },
    {
      why: "an old call that was never answered",
      items: [messageUser("u"), call("A"), messageUser("v"), messageAssistant("w")],
      cuts: [0, 1, 2, 3, 4],
    },
    {
      why: "a result that came late",
      items: [messageUser("u"), call("A"), messageUser("v"), answer("A"), messageUser("w")],
      cuts: [0, 1, 4, 5],
    },
    { why: "nothing", items: [], cuts: [0] },
  ])("never part a call from its result: $why", ({ items, cuts }) => {
    expect(cutPositions(items)).toEqual(cuts);
  });
});

describe("a compaction", () => {
  it.each(history.map((_, position) => position))(
    "before position %i, twice and after a restart, leaves a context that a strict server takes",
    async (position) => {
      const store = createMemoryStore();
      const context = new Context({ store, items: history });
      const compact = (target: Context, at: number): void => {
        const cut = cutPositions(target.items()).findLast((one) => one <= at) ?? 0;
        target.compact({ firstKept: cut, summary: messageUser(`summary of ${cut}`) });
      };
      compact(context, position);
      expect(strictProblems(requestView(context.items()))).toEqual([]);
      context.append(messageAssistant("next"));
      compact(context, Math.min(position, 2));
      context.append(messageUser("go on"));
      await context.flush();
      const again = await Context.open({ store });
      expect(again.items()).toEqual(context.items());
      expect(strictProblems(requestView(again.items()))).toEqual([]);
      expect(JSON.stringify(again.at(-1))).toContain("go on");
    },
  );

  it("that would part a call from its result is refused", () => {
    const context = new Context({ items: history });
    for (const firstKept of [2, 3, 4, 8]) {
      const failure = failureOf(() => context.compact({ firstKept, summary: messageUser("s") }));
      expect(failure).toMatchObject({ kind: "usage", details: { argument: "firstKept" } });
    }
    expect(failureOf(() => context.compact({ firstKept: 5, summary: messageUser("") })).kind).toBe(
      "malformed",
    );
    expect(context.items()).toEqual(new Context({ items: history }).items());
  });

  it("can be undone, and nothing merges into its summary", () => {
    const context = new Context({ items: [messageUser("a"), messageAssistant("b")] });
    context.compact({ firstKept: 2, summary: messageUser("sum") });
    context.append(messageUser("c"));
    expect(context.items()).toEqual([messageUser("sum"), messageUser("c")]);
    context.undo();
    context.undo();
    expect(context.items()).toEqual([messageUser("a"), messageAssistant("b")]);
  });

  it("holds what a rollback before it and behind it left", () => {
    const context = new Context({ items: history });
    context.compact({ firstKept: 5, summary: messageUser("sum") });
    context.rollback(3);
    expect(context.items()).toEqual([messageUser("sum"), messageAssistant("a1"), messageUser("u2")]);
    context.rollback(0);
    expect(context.items()).toEqual([]);
    context.undo();
    context.undo();
    expect(context.length).toBe(6);
  });
});

describe("opening a compacted session", () => {
  async function compacted(): Promise<ReturnType<typeof createMemoryStore>> {
    const store = createMemoryStore();
    const context = new Context({ store, items: [messageSystem("s"), ...history] });
    context.edit(1, messageUser("edited"));
    context.compact({ firstKept: 6, summary: messageUser("sum") });
    context.append(messageAssistant("after"));
    await context.flush();
    return store;
  }

  it("shows the same whether or not the past is kept", async () => {
    const store = await compacted();
    const lean = await Context.open({ store });
    const whole = await Context.open({ store, whole: true });
    expect(lean.items()).toEqual(whole.items());
    expect(lean.entries().length).toBeLessThan(whole.entries().length);
    expect(lean.stats).toEqual(whole.stats);
    expect(lean.leaf).toBe(whole.leaf);
  });

  it("lets undo go back to the compaction, and further when the past is kept", async () => {
    const store = await compacted();
    const undoAll = (context: Context): number => {
      let steps = 0;
      while (context.undo()) steps += 1;
      return steps;
    };
    expect(undoAll(await Context.open({ store }))).toBe(1);
    const whole = await Context.open({ store, whole: true });
    expect(undoAll(whole)).toBeGreaterThan(10);
    expect(whole.length).toBe(0);
  });

  it("reads the past after all when the session went back to it", async () => {
    const store = await compacted();
    const context = await Context.open({ store, whole: true });
    context.undo();
    context.undo();
    context.append(messageUser("other way"));
    await context.flush();
    const again = await Context.open({ store });
    expect(again.items()).toEqual(context.items());
    expect(again.at(1)).toEqual(messageUser("edited"));
  });

  it("can go on: roll back, edit, compact again", async () => {
    const store = await compacted();
    const context = await Context.open({ store });
    context.rollback(-2);
    context.edit(2, messageAssistant("edited too"));
    context.append(messageUser("more"));
    context.compact({ firstKept: 2, summary: messageUser("sum 2") });
    await context.flush();
    expect((await Context.open({ store })).items()).toEqual(context.items());
    expect((await Context.open({ store, whole: true })).items()).toEqual(context.items());
  });
});

describe("what tools keep in a conversation", () => {
  const state = (type: string, value: number) => ({ type, value });
  const values = (context: Context) =>
    context.items().flatMap((item) => (typeof item.type === "string" ? [[item.type, item.value]] : []));

  it("stays through compactions and a restart, the newest record of each type", async () => {
    const store = createMemoryStore();
    const context = new Context({
      store,
      items: [
        messageSystem("s"),
        state("tool:note", 1),
        messageUser("u1"),
        state("tool:note", 2),
        state("other", 3),
        state("tool:list", 4),
        messageAssistant("a1"),
        messageUser("u2"),
        state("tool:list", 5),
      ],
    });
    context.compact({ firstKept: 7, summary: messageUser("summary") });
    expect(values(context)).toEqual([
      ["tool:note", 2],
      ["tool:list", 5],
    ]);
    expect(context.at(1)).toMatchObject({ content: [{ text: "summary" }] });
    context.append(messageAssistant("a2"));
    context.compact({ firstKept: context.length, summary: messageUser("all of it") });
    await context.flush();
    const again = await Context.open({ store });
    expect(again.items()).toEqual(context.items());
    expect(values(again)).toEqual([
      ["tool:note", 2],
      ["tool:list", 5],
    ]);
    expect(strictProblems(requestView(again.items()))).toEqual([]);
  });

  it("follows undo, and a rollback behind the compaction leaves it", () => {
    const context = new Context({ items: [state("tool:note", 1), messageUser("u"), messageAssistant("a")] });
    const before = context.items();
    context.compact({ firstKept: 1, summary: messageUser("summary") });
    context.rollback(2);
    expect(values(context)).toEqual([["tool:note", 1]]);
    context.undo();
    context.undo();
    expect(context.items()).toEqual(before);
  });
});
