import { contentText, messageUser, type UserMessage } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageQueue, type QueueKind } from "../../src/queue/message-queue.js";

const texts = (messages: readonly UserMessage[]): readonly string[] => messages.map(contentText);

function drained(queue: MessageQueue, kind: QueueKind): readonly string[] {
  const stored: UserMessage[] = [];
  queue.drain(kind, { store: (message) => stored.push(message), tell: () => undefined });
  return texts(stored);
}

function filled(queue = new MessageQueue()): MessageQueue {
  queue.add("a");
  queue.add("later", "followUp");
  queue.add("b", "steer");
  queue.add("last", "followUp");
  return queue;
}

describe("the queue", () => {
  it("gives what steers all at once and what follows one at a time, each first in first out", () => {
    const queue = filled();
    expect(drained(queue, "steer")).toEqual(["a", "b"]);
    expect(drained(queue, "followUp")).toEqual(["later"]);
    expect(drained(queue, "followUp")).toEqual(["last"]);
    expect(queue.length).toBe(0);
  });

  it("turns both around when it was told to", () => {
    const queue = filled(new MessageQueue({ steer: "one", followUp: "all" }));
    expect(drained(queue, "steer")).toEqual(["a"]);
    expect(drained(queue, "followUp")).toEqual(["later", "last"]);
    expect(texts(queue.take())).toEqual(["b"]);
  });

  it("gives back what is left in the order in which it was sent", () => {
    const queue = filled(new MessageQueue({ steer: "one" }));
    drained(queue, "steer");
    queue.add("newest");
    expect(texts(queue.take())).toEqual(["later", "b", "last", "newest"]);
    expect(queue.length).toBe(0);
  });

  it("refuses a kind that is none, so that no message waits for ever", () => {
    expect(() => new MessageQueue().add("a", "followup" as never)).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining('"followup"') }),
    );
  });

  it("keeps the message that could not be stored, and those behind it", () => {
    const queue = filled();
    const store = (message: UserMessage): void => {
      if (contentText(message) === "b") throw new RangeError("disk full");
    };
    expect(() => queue.drain("steer", { store, tell: () => undefined })).toThrow(RangeError);
    expect(texts(queue.take())).toEqual(["later", "b", "last"]);
  });

  it("gives what is due to be expanded first, once; back comes what was sent", async () => {
    const queue = new MessageQueue({ steer: "one" });
    for (const text of ["a", "b"]) queue.add(text);
    queue.put(messageUser("whole"), "followUp");
    const asked: string[] = [];
    const expand = async (message: UserMessage): Promise<UserMessage> => {
      asked.push(contentText(message));
      return messageUser(`[${contentText(message)}]`);
    };
    expect([queue.isUnexpanded("steer"), queue.isUnexpanded("followUp")]).toEqual([true, false]);
    await queue.expand("steer", expand);
    expect(queue.isUnexpanded("steer")).toBe(false);
    expect(texts(queue.take())).toEqual(["a", "b", "whole"]);
    queue.add("c");
    await queue.expand("steer", expand);
    expect(drained(queue, "steer")).toEqual(["[c]"]);
    expect(asked).toEqual(["a", "c"]);
  });

  it("keeps a message that cannot be expanded, and one that comes meanwhile is not expanded yet", async () => {
    const queue = new MessageQueue();
    queue.add("a");
    const refuse = async (): Promise<UserMessage> => {
      queue.add("b");
      throw new RangeError("no such lines");
    };
    await expect(queue.expand("steer", refuse)).rejects.toThrow(RangeError);
    expect(queue.isUnexpanded("steer")).toBe(true);
    expect(texts(queue.take())).toEqual(["a", "b"]);
  });

  it("delivers nothing twice when whoever is told of one takes the others back", () => {
    const queue = filled();
    const stored: UserMessage[] = [];
    let back: readonly UserMessage[] = [];
    const tell = (): void => {
      back = [...back, ...queue.take()];
    };
    queue.drain("steer", { store: (message) => stored.push(message), tell });
    expect([texts(stored), texts(back)]).toEqual([["a"], ["later", "b", "last"]]);
  });

  it("loses and repeats nothing, whatever is done to it", () => {
    const action = fc.constantFrom("steer", "followUp", "drain steer", "drain followUp", "take");
    const mode = fc.constantFrom("one" as const, "all" as const);
    fc.assert(
      fc.property(mode, mode, fc.array(action), (steer, followUp, actions) => {
        const queue = new MessageQueue({ steer, followUp });
        const out: string[] = [];
        let sent = 0;
        for (const name of actions) {
          if (name === "steer" || name === "followUp") queue.add(`${name} ${sent++}`, name);
          else if (name === "take") out.push(...texts(queue.take()));
          else out.push(...drained(queue, name === "drain steer" ? "steer" : "followUp"));
        }
        out.push(...texts(queue.take()));
        expect(new Set(out).size).toBe(sent);
        expect(out).toHaveLength(sent);
        // Within a kind the order is that of sending.
        for (const kind of ["steer", "followUp"]) {
          const numbers = out
            .filter((text) => text.startsWith(kind))
            .map((text) => Number(text.split(" ")[1]));
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
      }),
    );
  });
});
