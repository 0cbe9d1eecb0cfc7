import { Context, messageAssistant, messageToolResult, messageUser } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { failureOf } from "../support/failure.js";

const texts = (context: Context): readonly unknown[] =>
  context
    .messages()
    .map(({ content }) => content.map((block) => ("text" in block ? block.text : block.type)).join("|"));

describe("edits", () => {
  it("rebuild a message from its known fields", () => {
    const context = new Context({ items: [messageUser("a", { providerId: "p1" })] });
    context.edit(
      0,
      messageAssistant([{ type: "thinking", text: "t", signature: "s" }], {
        draft: "d",
        cacheId: 5,
        error: "e",
      }),
    );
    expect(context.at(0)).toEqual({
      type: 3,
      content: [{ type: "thinking", text: "t", signature: "s" }],
      draft: "d",
    });
  });

  it("of a tool result keep its call, its name and its error", () => {
    const context = new Context({ items: [messageUser("a")] });
    context.edit(
      -1,
      messageToolResult({ callId: "k", name: "read", error: true, content: "x", display: [] }),
    );
    expect(context.at(0)).toEqual({
      type: 4,
      callId: "k",
      name: "read",
      error: true,
      content: [{ type: "text", text: "x" }],
    });
  });

  it("of attachments keep the data, its type and its name", () => {
    const context = new Context({ items: [messageUser("a")] });
    const binary = {
      type: "binary",
      content: "AQ==",
      mimetype: "a/b",
      filename: "f",
      uploadId: "u",
    } as const;
    context.edit(0, messageUser([binary, { type: "text", text: "t" }]));
    expect(context.at(0)?.content).toEqual([
      { type: "binary", content: "AQ==", mimetype: "a/b", filename: "f" },
      { type: "text", text: "t" },
    ]);
  });

  it("replace one block", () => {
    const context = new Context({
      items: [
        messageUser([
          { type: "text", text: "a" },
          { type: "image", content: "aGk=" },
        ]),
      ],
    });
    context.editBlock(0, -2, { type: "text", text: "b" });
    expect(texts(context)).toEqual(["b|image"]);
  });

  it("replace a merged message as a whole", () => {
    const context = new Context({ items: [messageUser("a"), messageUser("b"), messageAssistant("c")] });
    context.edit(0, messageUser("z"));
    expect(texts(context)).toEqual(["z", "c"]);
    context.undo();
    expect(texts(context)).toEqual(["a\n\nb", "c"]);
  });

  it.each([
    { why: "a position behind the end", change: (context: Context) => context.edit(1, messageUser("x")) },
    { why: "a position before the start", change: (context: Context) => context.edit(-2, messageUser("x")) },
    { why: "a position between two", change: (context: Context) => context.edit(0.5, messageUser("x")) },
    { why: "a rollback to the length", change: (context: Context) => context.rollback(1) },
    {
      why: "a block that is not there",
      change: (context: Context) => context.editBlock(0, 1, { type: "text", text: "x" }),
    },
    { why: "a removal outside", change: (context: Context) => context.remove([0, 7]) },
  ])("refuse $why", ({ change }) => {
    const context = new Context({ items: [messageUser("a")] });
    expect(failureOf(() => change(context)).kind).toBe("usage");
    expect(texts(context)).toEqual(["a"]);
  });

  it("refuse a block of a record", () => {
    const context = new Context({ items: [{ type: "note" }] });
    expect(failureOf(() => context.editBlock(0, 0, { type: "text", text: "x" })).kind).toBe("usage");
  });
});

describe("withdrawing", () => {
  it("pops from the end and says what went", () => {
    const context = new Context({ items: [messageUser("a"), messageAssistant("b")] });
    expect(context.pop()).toEqual(messageAssistant("b"));
    expect(context.pop()).toEqual(messageUser("a"));
    expect(context.pop()).toBeUndefined();
  });

  it("takes back a failed response only while it is the last message", () => {
    const failed = messageAssistant("half", { error: "boom" });
    const context = new Context({ items: [messageUser("a"), failed] });
    expect(context.errorPop()).toEqual(failed);
    expect(context.errorPop()).toBeUndefined();
    context.append(failed);
    context.append(messageUser("b"));
    expect(context.errorPop()).toBeUndefined();
    expect(context.length).toBe(3);
  });

  it("takes back a failed response behind which only records stand, and leaves those", () => {
    const failed = messageAssistant("half", { error: "boom" });
    const items = [messageUser("a"), failed, { type: "note" }, { type: "tool:note", value: 1 }];
    const context = new Context({ items });
    expect(context.errorPop()).toEqual(failed);
    expect(context.items()).toEqual([messageUser("a"), { type: "note" }, { type: "tool:note", value: 1 }]);
    expect(context.errorPop()).toBeUndefined();
    expect(context.undo()).toBe(true);
    expect(context.length).toBe(4);
    expect(new Context({ items: [{ type: "note" }] }).errorPop()).toBeUndefined();
    expect(new Context().errorPop()).toBeUndefined();
  });

  it("of several changes at once leaves everything as it was when one of them throws", () => {
    const context = new Context({ items: [messageUser("a")] });
    const failure = failureOf(() =>
      context.update(() => {
        context.append(messageAssistant("b"));
        context.edit(9, messageUser("c"));
        return true;
      }),
    );
    expect(failure.kind).toBe("usage");
    expect(texts(context)).toEqual(["a"]);
  });

  it("undoes several changes in one step", () => {
    const context = new Context({ items: [messageUser("a")] });
    context.update(() => {
      context.append(messageAssistant("b"));
      context.append(messageUser("c"));
      return true;
    });
    expect(texts(context)).toEqual(["a", "b", "c"]);
    context.undo();
    expect(texts(context)).toEqual(["a"]);
    context.redo();
    expect(texts(context)).toEqual(["a", "b", "c"]);
  });

  it("refuses to undo inside such a step", () => {
    const context = new Context({ items: [messageUser("a")] });
    expect(failureOf(() => context.update(() => context.undo())).kind).toBe("usage");
  });
});
