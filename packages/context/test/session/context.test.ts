import {
  Context,
  type ContextItem,
  createMemoryStore,
  messageAssistant,
  messageSystem,
  messageToolResult,
  messageUser,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { failureOf, placeOf } from "../support/failure.js";

const call = (callId: string) => ({ type: "toolCall", callId, name: "read", arguments: {} }) as const;
const texts = (context: Context): readonly unknown[] =>
  context
    .messages()
    .map(({ content }) => content.map((block) => ("text" in block ? block.text : block.type)).join("|"));

describe("append", () => {
  it("merges messages of one kind and folds their texts with a blank line", () => {
    const context = new Context();
    expect(context.append(messageUser("one"))).toBe(0);
    expect(context.append(messageUser("two\n"))).toBe(0);
    expect(context.append(messageUser("three"))).toBe(0);
    expect(texts(context)).toEqual(["one\n\ntwo\nthree"]);
  });

  it.each([
    { why: "another kind", next: messageSystem("b") },
    { why: "other metadata", next: messageUser("b", { worker: "w1" }) },
    { why: "a record between them", next: messageUser("b"), between: { type: "note" } },
  ])("does not merge across $why", ({ next, between }) => {
    const context = new Context({ items: [messageUser("a")] });
    if (between !== undefined) context.append(between);
    context.append(next);
    expect(texts(context)).toEqual(["a", "b"]);
  });

  it("keeps a boundary that the caller asks for", () => {
    const context = new Context({ items: [messageUser("a")] });
    context.append(messageUser("b"), { merge: false });
    expect(texts(context)).toEqual(["a", "b"]);
  });

  it("never merges into a message that was part of a request, so that the prefix stays the same bytes", () => {
    const context = new Context({ items: [messageUser("a")] });
    context.seal();
    const before = context.at(0);
    context.append(messageUser("b"));
    context.append(messageUser("c"));
    expect(texts(context)).toEqual(["a", "b\n\nc"]);
    expect(context.at(0)).toBe(before);
  });

  it("does not fold thinking that carries a signature", () => {
    const signed = (text: string) => ({ type: "thinking", text, signature: "s" }) as const;
    const context = new Context({ items: [messageAssistant([signed("a"), signed("b")])] });
    expect(texts(context)).toEqual(["a|b"]);
  });

  it("swallows an empty message that would merge, and refuses any other", () => {
    const context = new Context({ items: [messageUser("a")] });
    expect(context.append(messageUser(""))).toBe(0);
    expect(context.length).toBe(1);
    expect(placeOf(() => context.append(messageAssistant("")))).toBe("context[1].content");
    expect(context.append(messageAssistant([], { error: "boom" }))).toBe(1);
    expect(context.append(messageAssistant([], { incomplete: true }))).toBe(2);
  });

  it("shares a frozen message instead of copying it", () => {
    const message = messageUser("a");
    expect(new Context({ items: [message] }).at(0)).toBe(message);
  });

  it("is not reached by later changes of what was appended", () => {
    const content = [{ type: "text" as const, text: "a" }];
    const context = new Context({ items: [{ type: 2, content }] });
    content.push({ type: "text", text: "b" });
    expect(texts(context)).toEqual(["a"]);
  });

  it("names the place of what is no message", () => {
    const context = new Context({ items: [messageUser("a")] });
    const wrong: ContextItem = JSON.parse('{"type":2,"content":[{"type":"text"}]}');
    expect(placeOf(() => context.append(wrong))).toBe("context[1].content[0].text");
  });
});

describe("a tool result", () => {
  const result = (callId: string) => messageToolResult({ callId, content: "ok" });

  it("is taken for an open call, in any order", () => {
    const context = new Context({ items: [messageAssistant([call("a"), call("b")])] });
    context.append(result("b"));
    context.append(result("a"));
    expect(context.length).toBe(3);
  });

  it.each([
    { why: "no call at all", items: [messageUser("x")], callId: "a" },
    { why: "a call of another id", items: [messageAssistant([call("b")])], callId: "a" },
    { why: "a second result", items: [messageAssistant([call("a")]), result("a")], callId: "a" },
  ])("is refused with $why", ({ items, callId }) => {
    const context = new Context({ items });
    const failure = failureOf(() => context.append(result(callId)));
    expect(failure.kind).toBe("usage");
    expect(failure.details).toEqual({ argument: "callId" });
    expect(context.length).toBe(items.length);
  });

  it("is open again when a later round uses the same id", () => {
    const context = new Context({
      items: [messageAssistant([call("a")]), result("a"), messageAssistant([call("a")])],
    });
    expect(context.append(result("a"))).toBe(3);
  });

  it("is taken for a call that merged into the message before it", () => {
    const context = new Context({ items: [messageUser("go"), messageAssistant([call("a")])] });
    const unknown = () => context.append(messageToolResult({ callId: "b", content: "too early" }));
    expect(failureOf(unknown).kind).toBe("usage");
    context.append(messageAssistant([call("b")]));
    for (const callId of ["b", "a"]) context.append(messageToolResult({ callId, content: "done" }));
    expect(context.length).toBe(4);
  });

  it("may be missing or stray in what is imported, edited or rolled back", () => {
    const context = new Context({ items: [messageAssistant([call("a")]), messageUser("x"), result("zzz")] });
    context.rollback(1);
    expect(context.length).toBe(1);
  });
});

describe("reads", () => {
  const context = new Context({ items: [messageSystem("s"), { type: "note", n: 1 }, messageUser("u")] });

  it("count from either end and are frozen", () => {
    expect(context.at(-1)).toBe(context.at(2));
    expect(context.at(3)).toBeUndefined();
    expect(context.blockAt(0, -1)).toEqual({ type: "text", text: "s" });
    expect(context.blockAt(1, 0)).toBeUndefined();
    expect(Object.isFrozen(context.items())).toBe(true);
    expect(context.items()).toBe(context.items());
    expect([...context]).toEqual(context.items());
    expect(JSON.parse(JSON.stringify(context))).toEqual(context.items());
    expect(context.messages()).toHaveLength(2);
  });

  it("keep an earlier snapshot as it was", () => {
    const own = new Context({ items: [messageUser("a")] });
    const before = own.items();
    own.append(messageAssistant("b"));
    expect(before).toHaveLength(1);
  });
});

it("has an id of its own, or the one it is given", () => {
  expect(new Context().id).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Context({ id: "s1" }).id).toBe("s1");
});

it("takes its randomness from the host", () => {
  const random = (bytes: Uint8Array) => bytes.fill(0xff);
  expect(new Context({ now: () => 0, random }).id).toMatch(/-b[f]{3}-[f]{12}$/);
});

describe("what a context starts with", () => {
  const items = [messageUser("a"), messageAssistant("b"), { type: "note" }, messageUser("c")];

  it("has no entries until something needs them, and then those of appends", async () => {
    const store = createMemoryStore();
    let asked = 0;
    const random = (bytes: Uint8Array): Uint8Array => {
      asked += 1;
      return bytes;
    };
    const context = new Context({ items, store, random });
    expect([context.length, context.at(-1), context.messages().length]).toEqual([4, items[3], 3]);
    expect([...context]).toEqual(items);
    expect(asked).toBe(0);
    await context.flush();
    const entries = await store.load();
    expect(entries.map(({ kind }) => kind)).toEqual(["message", "message", "record", "message"]);
    expect([context.id, ...entries.map(({ id }) => id)]).toEqual(
      [context.id, ...entries.map(({ id }) => id)].sort(),
    );
  });

  it("stays the same array when its entries are made", () => {
    const context = new Context({ items });
    const before = [context.items(), context.messages()];
    context.seal();
    expect(context.leaf).toBeTypeOf("string");
    expect(context.items()).toBe(before[0]);
    expect(context.messages()).toBe(before[1]);
  });

  it.each([
    {
      why: "neighbours of one kind",
      content: [[messageUser("a"), messageUser("b")], [messageUser("a\n\nb")]],
    },
    {
      why: "texts side by side",
      content: [
        [
          messageUser([
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ]),
        ],
        [messageUser("a\n\nb")],
      ],
    },
  ])("merges and folds as appends do: $why", ({ content: [given = [], shown] }) => {
    expect(new Context({ items: given }).items()).toEqual(shown);
  });

  it("is undone step by step", () => {
    const context = new Context({ items });
    expect(context.undo()).toBe(true);
    expect(context.items()).toEqual(items.slice(0, 3));
  });
});
