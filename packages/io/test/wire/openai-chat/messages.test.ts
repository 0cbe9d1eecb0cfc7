import { type Message, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { isIOError } from "../../../src/io-error.js";
import { isObject } from "../../../src/json-object.js";
import { chatWire } from "../../../src/wire/openai-chat/index.js";
import { complaints } from "../strict-server.js";
import { wireContext } from "../wire-context.js";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const TALK: readonly Message[] = [
  { type: MessageType.system, content: [{ type: "text", text: "Be brief." }] },
  { type: MessageType.user, content: [{ type: "text", text: "look" }] },
  {
    type: MessageType.assistant,
    content: [
      { type: "thinking", text: "hm" },
      { type: "toolCall", callId: "call-1", name: "read", arguments: { path: "a" } },
      { type: "toolCall", callId: "call-2", name: "read", arguments: { path: "b" } },
    ],
  },
  result("call-1", [
    { type: "text", text: "a picture" },
    { type: "image", content: PNG },
  ]),
  result("call-2", [{ type: "text", text: "B" }]),
  { type: MessageType.assistant, content: [{ type: "text", text: "Done." }] },
  { type: MessageType.user, content: [{ type: "text", text: "thanks" }] },
];

describe("chat messages", () => {
  it("are the whole conversation, in a form that a strict server takes", () => {
    const body = request(TALK);
    expect(complaints(body)).toEqual([]);
    expect(body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "look" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call-1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: "call-2", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
        ],
      },
      {
        role: "tool",
        tool_call_id: "call-1",
        content: "a picture\n\n[image: in the message after the results]",
      },
      { role: "tool", tool_call_id: "call-2", content: "B" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image from the result of read (call-1):" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      { role: "assistant", content: "Done." },
      { role: "user", content: "thanks" },
    ]);
  });

  it("leave out what has nothing a server could use", () => {
    const body = request([
      { type: MessageType.user, content: [{ type: "text", text: "hi" }] },
      { type: MessageType.assistant, content: [{ type: "thinking", text: "cut off" }] },
      { type: MessageType.assistant, content: [] },
      { type: MessageType.system, content: [{ type: "text", text: "" }] },
    ]);
    expect(body.messages).toEqual([{ role: "user", content: "hi" }]);
  });

  it("carry images of users as data URLs, the type taken from the bytes", () => {
    const body = request([
      {
        type: MessageType.user,
        content: [
          { type: "text", text: "what is it" },
          { type: "image", content: PNG },
        ],
      },
    ]);
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "what is it" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
    ]);
  });

  it.each([
    {
      why: "a file",
      block: { type: "binary", content: "AAAA", filename: "x.zip", mimetype: "application/zip" },
      says: "x.zip (application/zip)",
    },
    {
      why: "an image of another type",
      block: { type: "image", content: "AAAA", mimetype: "image/tiff" },
      says: "convert it to png",
    },
    { why: "a block that only the application knows", block: { type: "chart", text: "x" }, says: '"chart"' },
  ])("refuse $why of a user as malformed, with place and reason", ({ block, says }) => {
    const context = [TALK[0], { type: MessageType.user, content: [{ type: "text", text: "see" }, block] }];
    // The block kinds are wrong on purpose: contexts come from files too.
    expect(refusalOf(context as readonly Message[])).toMatchObject({
      kind: "malformed",
      details: { at: "messages[1].content[1]" },
      message: expect.stringContaining(says),
    });
  });

  it("refuse images for a model that is known to take none", () => {
    const image: Message = { type: MessageType.user, content: [{ type: "image", content: PNG }] };
    expect(refusalOf([image], { info: { input: ["text"] } })).toMatchObject({ kind: "malformed" });
    expect(request([image], { info: { input: ["text", "image"] } }).messages).toHaveLength(1);
  });

  it("tell the model what of a tool's result could not be sent, instead of ending the conversation", () => {
    const body = request([
      TALK[2] ?? fail(),
      result("call-1", [{ type: "binary", content: "AAAA", filename: "x.zip", mimetype: "application/zip" }]),
      result("call-2", [{ type: "image", content: "AAAA", mimetype: "image/tiff" }]),
    ]);
    expect(complaints(body)).toEqual([]);
    expect(JSON.stringify(body.messages)).toContain("x.zip (application/zip) left out");
    expect(JSON.stringify(body.messages)).toContain("image left out: images of type image/tiff");
  });

  it("send back arguments that never parsed inside an object, which every server can read", () => {
    const body = request([
      {
        type: MessageType.assistant,
        content: [{ type: "toolCall", callId: "c", name: "write", arguments: '{"path":"x' }],
      },
      result("c", [{ type: "text", text: "the arguments were cut" }]),
    ]);
    expect(complaints(body)).toEqual([]);
    expect(JSON.stringify(body)).toContain(String.raw`{\\\"path\\\":\\\"x`);
  });
});

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

describe("the chat request", () => {
  it("carries tools, schema, credentials, headers and settings, and nothing that is not set", () => {
    const io = wireContext({
      tools: [TOOL],
      format: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
      auth: { type: "api_key", token: "sesame" },
      settings: {
        temperature: 0,
        stop: ["x"],
        headers: { "X-Org": "o" },
        body: { top_k: 4, model: "never" },
      },
    });
    const [headers, body] = chatWire.context2msg(TALK, io);
    expect(headers).toEqual({ "x-org": "o", authorization: "Bearer sesame" });
    expect(body).toMatchObject({
      model: "m1",
      temperature: 0,
      stop: ["x"],
      top_k: 4,
      tools: [
        { type: "function", function: { name: "read", description: "Reads.", parameters: TOOL.inputSchema } },
      ],
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true } },
    });
    expect(Object.keys(request([])).toSorted()).toEqual(["messages", "model", "stream", "stream_options"]);
  });

  it.each([
    { settings: { temperature: "hot" }, at: "settings.temperature" },
    { settings: { stop: [1] }, at: "settings.stop" },
    { settings: { headers: { a: 1 } }, at: "settings.headers.a" },
    { settings: { body: [] }, at: "settings.body" },
  ])("names the setting that is wrong: $at", ({ settings, at }) => {
    expect(refusalOf(TALK, { settings })).toMatchObject({ kind: "malformed", details: { at } });
  });

  it("goes to the path below the base URL, and a bad base URL is said before any request", async () => {
    const urls: string[] = [];
    const send = async (url: string) => {
      const io = wireContext({ url, endpoint: "lab" });
      await chatWire.send(
        [{}, {}],
        async (request) => {
          urls.push(request.url);
          return { status: 200, headers: {}, body: empty() };
        },
        io,
      );
    };
    await send("http://h:1/v1/");
    expect(urls).toEqual(["http://h:1/v1/chat/completions"]);
    await expect(async () => send("h:1/v1")).rejects.toMatchObject({
      kind: "malformed",
      details: { at: "providers.lab.url" },
    });
    expect(urls).toHaveLength(1);
  });
});

const TOOL = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

async function* empty(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
}

function result(callId: string, content: Extract<Message, { type: 4 }>["content"]): Message {
  return { type: MessageType.toolResult, callId, name: "read", content };
}

function request(
  context: readonly Message[],
  io: Parameters<typeof wireContext>[0] = {},
): Readonly<Record<string, unknown>> {
  const [, body] = chatWire.context2msg(context, wireContext(io));
  return isObject(body) ? body : {};
}

function rolesOf(messages: unknown): readonly unknown[] {
  return Array.isArray(messages) ? messages.map(({ role }) => role) : [];
}

function refusalOf(context: readonly Message[], io: Parameters<typeof wireContext>[0] = {}): unknown {
  try {
    chatWire.context2msg(context, wireContext(io));
  } catch (error) {
    if (isIOError(error)) return error;
    throw error;
  }
  return "nothing was refused";
}

function fail(): never {
  throw new Error("the talk is shorter than the test thinks");
}
