import {
  Context,
  type ContextItem,
  isMessage,
  type Message,
  messageAssistant,
  messageSystem,
  messageToolResult,
  messageUser,
  requestView,
  wellFormedJson,
} from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mendedView } from "../../src/request/mended-view.js";
import { messyItem } from "../support/arbitrary.js";
import { failureOf } from "../support/failure.js";
import { strictProblems } from "../support/strict-request.js";

const call = (callId: string, name = "write", args: unknown = { path: "a" }) =>
  ({ type: "toolCall", callId, name, arguments: args }) as const;
const ask = messageUser("make two files");
const calls = messageAssistant([call("k1"), call("k2")]);
const firstResult = messageToolResult({ callId: "k1", name: "write", content: "ok" });
const secondResult = messageToolResult({ callId: "k2", name: "write", content: "ok too" });
const goOn = messageUser("go on");

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) =>
    message.content.map((block) => ("text" in block ? block.text : block.type)).join("|"),
  );

describe("a conversation that a crash left behind", () => {
  it("gives the call without a result an error result that says it may have partly run", () => {
    const view = requestView([ask, calls, firstResult, goOn]);
    expect(strictProblems(view)).toEqual([]);
    expect(view.map(({ type }) => type)).toEqual([2, 3, 4, 4, 2]);
    const repaired = view[3];
    expect(repaired).toMatchObject({ callId: "k2", name: "write", error: true });
    expect(textsOf(view)[3]).toMatch(/interrupted.*partly run/i);
  });

  it("turns a result whose call is gone into the user's text", () => {
    const view = requestView([ask, firstResult, goOn]);
    expect(strictProblems(view)).toEqual([]);
    expect(view.map(({ type }) => type)).toEqual([2, 2, 2]);
    expect(textsOf(view)[1]).toBe(
      'Result of a call of "write" that is no longer part of this conversation:|ok',
    );
  });

  it("moves results directly behind their calls, in call order", () => {
    const view = requestView([ask, calls, secondResult, goOn, firstResult]);
    expect(strictProblems(view)).toEqual([]);
    expect(view).toEqual([ask, calls, firstResult, secondResult, goOn]);
  });

  it("writes nothing: resuming again and again repairs the same conversation the same way", async () => {
    const items: readonly ContextItem[] = [ask, calls, firstResult];
    const context = new Context({ items });
    const views = [1, 2, 3].map(() => JSON.stringify(requestView(context.items())));
    expect(new Set(views).size).toBe(1);
    expect(context.items()).toEqual(items);
  });

  it("says of a call that the provider ran that its result was not reported", () => {
    const searched = messageAssistant([{ ...call("s1", "search"), executed: true }]);
    expect(textsOf(requestView([ask, searched]))[2]).toBe(
      "The provider ran this call but reported no result.",
    );
  });
});

describe("what a strict server refuses", () => {
  it.each([
    { why: "records never reach a provider", items: [ask, { type: "note", text: "x" }], left: 1 },
    { why: "an empty message says nothing", items: [ask, messageUser([])], left: 1 },
    { why: "empty blocks are an empty message", items: [ask, messageAssistant("")], left: 1 },
    {
      why: "thinking alone is no turn",
      items: [ask, messageAssistant([{ type: "thinking", text: "hm" }])],
      left: 1,
    },
    {
      why: "a second result of one call is dropped",
      items: [ask, calls, firstResult, secondResult, firstResult],
      left: 4,
    },
    { why: "a system message keeps its place", items: [messageSystem("be brief"), ask], left: 2 },
  ])("is mended: $why", ({ items, left }) => {
    const view = requestView(items);
    expect(strictProblems(view)).toEqual([]);
    expect(view).toHaveLength(left);
  });

  it("keeps an empty tool result, because it answers its call", () => {
    const silent = messageToolResult({ callId: "k1", content: "" });
    const view = requestView([messageAssistant([call("k1")]), silent]);
    expect(view[1]).toBe(silent);
  });

  it("drops `display` and keeps the rest", () => {
    const shown = messageToolResult({
      callId: "k1",
      content: "done",
      display: [{ type: "text", text: "diff" }],
    });
    const view = requestView([messageAssistant([call("k1")]), shown]);
    expect(view[1]).toEqual({ type: 4, callId: "k1", content: [{ type: "text", text: "done" }] });
  });

  it("replaces half an emoji and no other character", () => {
    const cut: Message = { type: 4, callId: "k1", content: [{ type: "text", text: "cut here \ud83d" }] };
    const view = requestView([messageAssistant([call("k1")]), cut, messageUser("é🙂\0日")]);
    expect(textsOf(view)).toEqual(["toolCall", "cut here \ufffd", "é🙂\0日"]);
  });

  it("refuses data that is nested too deep instead of exhausting the stack", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    expect(failureOf(() => requestView([{ type: 3, content: [call("k1", "x", deep)] }])).kind).toBe(
      "malformed",
    );
  });
});

describe("repeated call ids", () => {
  it("drops the repeat that nothing answered", () => {
    const view = requestView([messageAssistant([call("k1"), call("k1")]), firstResult]);
    expect(strictProblems(view)).toEqual([]);
    expect(view).toEqual([messageAssistant([call("k1")]), firstResult]);
  });

  it("renames the repeat that has a result of its own", () => {
    const again = messageToolResult({ callId: "k1", content: "second" });
    const view = requestView([messageAssistant([call("k1"), call("k1")]), firstResult, again]);
    expect(strictProblems(view)).toEqual([]);
    expect(textsOf(view)).toEqual(["toolCall|toolCall", "ok", "second"]);
  });

  it("gives empty ids a name, and pairs their results in order", () => {
    const results = ["one", "two"].map((content) => messageToolResult({ callId: "", content }));
    const view = requestView([messageAssistant([call(""), call("")]), ...results]);
    expect(strictProblems(view)).toEqual([]);
    expect(textsOf(view)).toEqual(["toolCall|toolCall", "one", "two"]);
  });

  it("pairs each round by itself when every round uses the same id", () => {
    const round = (text: string) => [
      messageAssistant([call("ollama-0")]),
      messageToolResult({ callId: "ollama-0", content: text }),
    ];
    const items = [ask, ...round("first"), ...round("second")];
    expect(requestView(items)).toEqual(items);
  });
});

describe("the prefix of a request", () => {
  it("keeps the very objects where nothing had to change", () => {
    const items = [ask, calls, firstResult, secondResult, goOn];
    requestView(items).forEach((message, index) => {
      expect(message).toBe(items[index]);
    });
  });

  it("keeps the cleaned copy of a frozen message from request to request", () => {
    const shown = messageToolResult({ callId: "k1", content: "x", display: [{ type: "text", text: "d" }] });
    const items = [messageAssistant([call("k1")]), shown];
    expect(requestView(items)[1]).toBe(requestView(items)[1]);
  });

  it("sees a change of a message that is not frozen", () => {
    const content = [{ type: "text" as const, text: "one" }];
    const items = [{ type: 2 as const, content }];
    requestView(items);
    content.push({ type: "text", text: "\ud83d" });
    expect(textsOf(requestView(items))).toEqual(["one|\ufffd"]);
  });
});

it("passes the strict checks for any conversation, and for what it made of it", () => {
  fc.assert(
    fc.property(fc.array(messyItem, { maxLength: 14 }), (items) => {
      const view = requestView(items);
      expect(strictProblems(view)).toEqual([]);
      expect(requestView(view)).toEqual(view);
    }),
    { numRuns: 500 },
  );
});

it("mends nothing in a conversation that is in order", () => {
  fc.assert(
    fc.property(fc.array(messyItem, { maxLength: 8 }), (items) => {
      const inOrder = requestView(items);
      expect(mendedView(inOrder)).toEqual(inOrder);
      expect(mendedView(items)).toEqual(inOrder);
    }),
  );
});

it("keeps every text of systems and users, in order", () => {
  fc.assert(
    fc.property(fc.array(messyItem, { maxLength: 10 }), (items) => {
      const said = items.filter(isMessage).filter(({ type }) => type === 1 || type === 2);
      const texts = said
        .flatMap((message) => textsOf([wellFormedJson(message)]))
        .flatMap((text) => text.split("|"));
      const sent = requestView(items).filter(({ type }) => type === 1 || type === 2);
      const arrived = textsOf(sent).flatMap((text) =>
        text.startsWith("Result of a call") ? [] : text.split("|"),
      );
      expect(arrived.filter((text) => text !== "")).toEqual(texts.filter((text) => text !== ""));
    }),
  );
});
