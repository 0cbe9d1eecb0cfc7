import { Context, type Message, messageUser, oncePerMessage } from "@ashlar/context";
import { describe, expect, it } from "vitest";

function counted(): { readonly work: (message: Message) => string; readonly count: () => number } {
  let calls = 0;
  const work = oncePerMessage((message: Message) => {
    calls += 1;
    return JSON.stringify(message.content);
  });
  return { work, count: () => calls };
}

describe("oncePerMessage", () => {
  it("runs once for a message of a context, however often it is asked", () => {
    const { work, count } = counted();
    const context = new Context({ items: [messageUser("hello")] });
    const [first, second] = [context, context].map((same) => same.messages().map(work));
    expect(first).toEqual(second);
    expect(count()).toBe(1);
  });

  it("runs again for a message that somebody may still change", () => {
    const { work } = counted();
    const block = { type: "text" as const, text: "before" };
    const message: Message = Object.freeze({ type: 2, content: Object.freeze([block]) });
    expect(work(message)).toContain("before");
    block.text = "after";
    expect(work(message)).toContain("after");
  });

  it("looks at what an edit put in a message's place", () => {
    const { work } = counted();
    const context = new Context({ items: [messageUser("old")] });
    context.messages().map(work);
    context.edit(0, messageUser("new"));
    expect(context.messages().map(work)).toEqual(['[{"type":"text","text":"new"}]']);
  });

  it("tries again after a failure", () => {
    const [message] = new Context({ items: [messageUser("hello")] }).messages();
    let calls = 0;
    const work = oncePerMessage(() => {
      calls += 1;
      if (calls === 1) throw new RangeError("not yet");
      return calls;
    });
    if (message === undefined) throw new Error("the context has a message");
    expect(() => work(message)).toThrow(RangeError);
    expect(work(message)).toBe(2);
  });
});
