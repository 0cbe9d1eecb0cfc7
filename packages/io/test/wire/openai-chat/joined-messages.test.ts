import { isObject, type Message, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../src/wire/openai-chat/chat-message.js";
import { joinUserMessages } from "../../../src/wire/openai-chat/joined-messages.js";
import { PNG, request, result } from "./talk.js";

const SYSTEM = { role: "system", content: "Be brief." };
const ANSWER = { role: "assistant", content: "Done." };
const IMAGE = { type: "image_url", image_url: { url: "data:image/png;base64,x" } };
const TEXT = { type: "text", text: "look" };

const said = (content: unknown): ChatMessage => ({ role: "user", content });

describe("messages of the user that are joined", () => {
  it.each([
    { why: "nothing at all", messages: [], expected: [] },
    { why: "nobody speaks twice", messages: [SYSTEM, said("a"), ANSWER, said("b")] },
    { why: "others stay apart", messages: [SYSTEM, SYSTEM, said("a"), ANSWER, ANSWER] },
    {
      why: "two texts are a blank line apart",
      messages: [SYSTEM, said("the summary"), said("the question"), ANSWER],
      expected: [SYSTEM, said("the summary\n\nthe question"), ANSWER],
    },
    {
      why: "three texts at the end",
      messages: [said("a"), said("b\n"), said("c")],
      expected: [said("a\n\nb\n\n\nc")],
    },
    {
      why: "parts stay parts and keep their order",
      messages: [said("before"), said([TEXT, IMAGE]), said("after")],
      expected: [said([{ type: "text", text: "before" }, TEXT, IMAGE, { type: "text", text: "after" }])],
    },
    {
      why: "each turn for itself",
      messages: [said("a"), said("b"), ANSWER, said("c"), said([IMAGE])],
      expected: [said("a\n\nb"), ANSWER, said([{ type: "text", text: "c" }, IMAGE])],
    },
  ])("$why", ({ messages, expected = messages }) => {
    const was = JSON.stringify(messages);
    expect(joinUserMessages(messages)).toEqual(expected);
    expect(JSON.stringify(messages)).toBe(was);
  });

  const text = (value: string) => ({ type: "text" as const, text: value });
  const context: readonly Message[] = [
    { type: MessageType.user, content: [text("look")] },
    {
      type: MessageType.assistant,
      content: [{ type: "toolCall", callId: "c1", name: "read", arguments: {} }],
    },
    result("c1", [{ type: "image", content: PNG }]),
    { type: MessageType.user, content: [text("and this?")] },
    { type: MessageType.assistant, content: [text("")] },
    { type: MessageType.system, content: [text("a note")] },
  ];

  it("take in images of tool results, texts of the system that go as the user's, and an empty answer between", () => {
    const joined = request(context, {
      settings: { compat: { userMessages: "joined", laterSystemRole: "user" } },
    });
    expect(rolesOf(joined)).toEqual(["user", "assistant", "tool", "user"]);
    expect(joined.messages).toMatchObject([
      {},
      {},
      {},
      {
        content: [{ type: "text" }, { type: "image_url" }, { text: "and this?" }, { text: "a note" }],
      },
    ]);
  });

  it("are joined only where the endpoint asks for it", () => {
    expect(rolesOf(request(context))).toEqual(["user", "assistant", "tool", "user", "user", "system"]);
    const explicit = request(context, { settings: { compat: { userMessages: "separate" } } });
    expect(explicit.messages).toEqual(request(context).messages);
  });
});

function rolesOf({ messages }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(messages) ? messages.map((message) => isObject(message) && message.role) : [];
}
