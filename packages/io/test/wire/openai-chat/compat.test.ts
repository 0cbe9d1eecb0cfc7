import { type Message, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { chatWire } from "../../../src/wire/openai-chat/index.js";
import { complaints } from "../strict-server.js";
import { wireContext } from "../wire-context.js";
import { refusalOf, request, TALK, TOOL } from "./talk.js";

describe("compatibility flags", () => {
  it.each([
    {
      flag: { developerRole: true },
      expected: { messages: expect.arrayContaining([{ role: "developer", content: "Be brief." }]) },
    },
    {
      flag: { reasoningField: "reasoning_content" },
      expected: {
        messages: expect.arrayContaining([
          expect.objectContaining({ role: "assistant", reasoning_content: "hm" }),
        ]),
      },
    },
    {
      flag: { toolResultName: true },
      expected: {
        messages: expect.arrayContaining([
          expect.objectContaining({ role: "tool", name: "read", content: "B" }),
        ]),
      },
    },
    {
      flag: { callsOnlyContent: "empty" },
      expected: {
        messages: expect.arrayContaining([expect.objectContaining({ role: "assistant", content: "" })]),
      },
    },
    { flag: { maxTokensField: "max_completion_tokens" }, expected: { max_completion_tokens: 99 } },
    {
      flag: {},
      expected: { max_tokens: 99, reasoning_effort: "high", stream_options: { include_usage: true } },
    },
    { flag: { thinkingFormat: "reasoning" }, expected: { reasoning: { effort: "high" } } },
    {
      flag: { thinkingFormat: "enable_thinking" },
      expected: { chat_template_kwargs: { enable_thinking: true } },
    },
    { flag: { parallelToolCalls: false }, expected: { parallel_tool_calls: false } },
    { flag: { formatField: "json_object" }, expected: { response_format: { type: "json_object" } } },
  ])("change the request: $flag", ({ flag, expected }) => {
    const body = request(TALK, {
      settings: { compat: flag, maxTokens: 99 },
      thinking: "high",
      tools: [TOOL],
      format: { type: "object" },
    });
    expect(body).toMatchObject(expected);
  });

  it("can switch fields off", () => {
    const body = request(TALK, {
      settings: { compat: { usageInStream: false, thinkingFormat: "none" } },
      thinking: "high",
    });
    expect(body).not.toHaveProperty("stream_options");
    expect(body).not.toHaveProperty("reasoning_effort");
    expect(body).not.toHaveProperty("parallel_tool_calls");
  });

  it("send strict ids that are short, paired and never twice, also when ids of ours come again", () => {
    const again = [...TALK, ...TALK.slice(2)];
    const messages = request(again, { settings: { compat: { strictToolIds: true } } }).messages;
    expect(complaints({ messages })).toEqual([]);
    const ids = JSON.stringify(messages).match(/"id":"([^"]*)"/g);
    expect(ids).toEqual(['"id":"c00000000"', '"id":"c00000001"', '"id":"c00000002"', '"id":"c00000003"']);
  });

  it("send system texts that come later as the user's where a template wants them first", () => {
    const context: Message[] = [
      ...TALK,
      { type: MessageType.system, content: [{ type: "text", text: "note" }] },
    ];
    const roles = (compat: object) => rolesOf(request(context, { settings: { compat } }).messages);
    expect(roles({ laterSystemRole: "user" })).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
      "assistant",
      "user",
      "user",
    ]);
    expect(roles({}).at(-1)).toBe("system");
  });

  it.each([
    { compat: { developerRole: "yes" }, at: "settings.compat.developerRole" },
    { compat: { maxTokensField: "tokens" }, at: "settings.compat.maxTokensField" },
    { compat: "vllm", at: "settings.compat" },
    { compat: { apiPrefix: 1 }, at: "settings.compat.apiPrefix" },
  ])("of a wrong value are refused by name: $at", ({ compat, at }) => {
    expect(refusalOf(TALK, { settings: { compat } })).toMatchObject({ kind: "malformed", details: { at } });
  });

  it("that nobody knows are mentioned once in a session", () => {
    const warnings: string[] = [];
    const io = { settings: { compat: { developrRole: true } }, warn: (text: string) => warnings.push(text) };
    const context = wireContext(io);
    chatWire.context2msg(TALK, context);
    chatWire.context2msg(TALK, context);
    expect(warnings).toEqual([expect.stringContaining("developrRole")]);
  });
});

function rolesOf(messages: unknown): readonly unknown[] {
  return Array.isArray(messages) ? messages.map(({ role }) => role) : [];
}
