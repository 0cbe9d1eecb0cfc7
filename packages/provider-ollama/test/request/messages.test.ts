import {
  type Message,
  messageAssistant,
  messageSystem,
  messageToolResult,
  messageUser,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { toMessages } from "../../src/request/messages.js";

const PNG = "iVBORw0KGgo=";
const call = (callId: string, name: string, args: unknown): Message =>
  messageAssistant([{ type: "toolCall", callId, name, arguments: args }]);

describe("a context on Ollama's wire", () => {
  it("keeps roles and joins texts", () => {
    const context = [
      messageSystem("Be brief."),
      messageUser([
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ]),
      messageAssistant("three"),
    ];
    expect(toMessages(context)).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "one\n\ntwo" },
      { role: "assistant", content: "three" },
    ]);
  });

  it("sends calls as objects with their ids, and results with name and id", () => {
    const context = [
      messageUser("go"),
      call("c1", "read", { path: "a" }),
      { type: 4, callId: "c1", content: [{ type: "text", text: "A" }] } satisfies Message,
    ];
    expect(toMessages(context).slice(1)).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "c1", function: { index: 0, name: "read", arguments: { path: "a" } } }],
      },
      { role: "tool", content: "A", tool_name: "read", tool_call_id: "c1" },
    ]);
  });

  it.each([
    { why: "raw text that never parsed", args: '{"path":', sent: { unparsed: '{"path":' } },
    { why: "a list", args: [1, 2], sent: { unparsed: [1, 2] } },
    { why: "nothing", args: undefined, sent: {} },
    { why: "null", args: null, sent: {} },
  ])("wraps arguments that are no object: $why", ({ args, sent }) => {
    expect(toMessages([call("c1", "read", args)])[0]?.tool_calls?.[0]?.function.arguments).toEqual(sent);
  });

  it("feeds thinking back only on turns that carry calls", () => {
    const thinking = { type: "thinking", text: "Hm.", signature: "x" } as const;
    const context = [
      messageAssistant([thinking, { type: "text", text: "No calls." }]),
      messageAssistant([thinking, { type: "toolCall", callId: "c1", name: "read", arguments: {} }]),
    ];
    expect(toMessages(context).map((message) => message.thinking)).toEqual([undefined, "Hm."]);
  });

  it("leaves out an assistant turn that only thought: strict servers refuse it", () => {
    const context = [
      messageUser("a"),
      messageAssistant([{ type: "thinking", text: "Hm." }]),
      messageUser("b"),
    ];
    expect(toMessages(context).map(({ role }) => role)).toEqual(["user", "user"]);
  });

  it("puts images and files of a user message on the images channel and names the files", () => {
    const context = [
      messageUser([
        { type: "text", text: "See:" },
        { type: "image", content: PNG, mimetype: "image/png" },
        { type: "binary", content: "JVBERi0=", mimetype: "application/pdf", filename: "plan.pdf" },
      ]),
    ];
    expect(toMessages(context)).toEqual([
      { role: "user", content: "See:\n[attached: plan.pdf, application/pdf]", images: [PNG, "JVBERi0="] },
    ]);
  });

  it("gathers the attachments of all results behind the last tool message, in one labelled user message", () => {
    const image = { type: "image", content: PNG, mimetype: "image/png" } as const;
    const context = [
      messageAssistant([
        { type: "toolCall", callId: "c1", name: "read", arguments: {} },
        { type: "toolCall", callId: "c2", name: "shoot", arguments: {} },
      ]),
      messageToolResult({
        callId: "c1",
        name: "read",
        content: [{ type: "text", text: "A picture." }, image],
      }),
      messageToolResult({ callId: "c2", name: "shoot", content: [image] }),
      messageUser("What is it?"),
    ];
    expect(toMessages(context).slice(1)).toEqual([
      { role: "tool", content: "A picture.", tool_name: "read", tool_call_id: "c1" },
      { role: "tool", content: "(attached below)", tool_name: "shoot", tool_call_id: "c2" },
      {
        role: "user",
        content:
          "Attachments of the tool results above, in order:\n1. read (c1): image/png\n2. shoot (c2): image/png",
        images: [PNG, PNG],
      },
      { role: "user", content: "What is it?" },
    ]);
  });

  it("skips blocks that nobody knows and keeps what stands beside them", () => {
    // A block kind from a newer version or a plugin.
    const unknown = { type: "hologram", text: "?" } as never;
    expect(toMessages([messageUser([unknown, { type: "text", text: "hi" }])])).toEqual([
      { role: "user", content: "hi" },
    ]);
  });

  it.each(["data:image/png;base64,iVBO", "https://example.com/a.png", "./a.png "])(
    "refuses %j as an image and names its place",
    (content) => {
      const context = [messageUser("a"), messageUser([{ type: "image", content }])];
      expect(() => toMessages(context)).toThrow(
        expect.objectContaining({ kind: "malformed", details: { at: "context[1].content[0]" } }),
      );
    },
  );

  it("gives the same prefix for a context that has grown", () => {
    const before = [
      messageUser("a"),
      call("c1", "read", { path: "x" }),
      messageToolResult({ callId: "c1", name: "read", content: [{ type: "image", content: PNG }] }),
    ];
    const after = [...before, messageAssistant("fine"), messageUser("next")];
    expect(toMessages(after).slice(0, toMessages(before).length)).toEqual(toMessages(before));
  });
});
