import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startFakeOpenAI } from "../../src/index.js";
import { post, sseData } from "./stream.js";

let server: RunningServer;
beforeAll(async () => {
  server = await startFakeOpenAI();
});
afterAll(() => server.close());

const user = { role: "user", content: "hi" };
const ask = (body: object) =>
  post(`${server.url}/chat/completions`, { model: "ok", messages: [user], ...body });

async function stream(body: object) {
  const { type, text } = await ask({ stream: true, ...body });
  const data = sseData(text);
  return { type, last: data.at(-1), chunks: data.slice(0, -1).map((line) => JSON.parse(line)) };
}

describe("Chat Completions", () => {
  it("streams chunks, a finish, then [DONE]", async () => {
    const { type, last, chunks } = await stream({});
    expect(type).toBe("text/event-stream");
    expect(last).toBe("[DONE]");
    expect(chunks.map(({ choices }) => choices[0].delta.content ?? "").join("")).toBe(
      "Hello from the fake model.",
    );
    expect(chunks.at(-1).choices[0].finish_reason).toBe("stop");
  });

  it("sends usage only when it is asked for, in a chunk without choices", async () => {
    expect((await stream({})).chunks.some(({ usage }) => usage)).toBe(false);
    const { chunks } = await stream({ stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    });
  });

  it("sends calls in fragments under their index", async () => {
    const { chunks } = await stream({ model: "parallel", tools: [tool("read")] });
    const fragments = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
    const calls = [0, 1].map((index) => fragments.filter((fragment) => fragment.index === index));
    expect(calls.map(([first]) => first)).toMatchObject([
      { id: expect.stringMatching(/^call_/) },
      { id: expect.stringMatching(/^call_/) },
    ]);
    expect(calls.map((parts) => parts.map((part) => part.function.arguments).join(""))).toEqual([
      '{"path":"README.md"}',
      '{"path":"package.json"}',
    ]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe("tool_calls");
  });

  it("cuts arguments at the output limit", async () => {
    const { chunks } = await stream({ model: "cut-arguments" });
    const text = chunks
      .flatMap(({ choices }) => choices[0].delta.tool_calls ?? [])
      .map((part) => part.function.arguments)
      .join("");
    expect(text).toBe('{"path":"notes.md","content":"# Plan\\n1. fi');
    expect(chunks.at(-1).choices[0].finish_reason).toBe("length");
  });

  it("answers in one piece without stream", async () => {
    const { type, text } = await ask({ model: "thinking" });
    expect(type).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({
      object: "chat.completion",
      choices: [
        {
          message: {
            role: "assistant",
            content: "I thought about it.",
            reasoning_content: "The user wants an answer.",
          },
          finish_reason: "stop",
        },
      ],
    });
  });

  it("quotes the file that was read", async () => {
    const call = { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } };
    const messages = [
      { ...user, content: "Read a.txt" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "{\n  alpha" },
    ];
    const { text } = await ask({ model: "read", messages, tools: [tool("read")] });
    expect(JSON.parse(text).choices[0].message.content).toBe("The first line of a.txt is: alpha");
  });

  it.each([
    {
      why: "a call id twice",
      messages: [user, { role: "assistant", tool_calls: [call("a"), call("a")] }, result("a"), result("a")],
      says: "repeated",
    },
    {
      why: "arguments that are no JSON",
      messages: [
        user,
        { role: "assistant", tool_calls: [{ ...call("a"), function: { name: "x", arguments: '{"path":' } }] },
        result("a"),
      ],
      says: "the JSON text of an object",
    },
    {
      why: "a result without an id",
      messages: [user, { role: "assistant", tool_calls: [call("a")] }, { role: "tool", content: "x" }],
      says: "messages[2].tool_call_id",
    },
    {
      why: "an answer of nothing",
      messages: [user, { role: "assistant", content: null }],
      says: "needs text or tool calls",
    },
    {
      why: "a content part without a type",
      messages: [{ role: "user", content: [{ text: "x" }] }],
      says: "messages[0].content[0].type",
    },
  ])("refuses $why", async ({ messages, says }) => {
    const { status, text } = await ask({ messages });
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toMatchObject({
      type: "invalid_request_error",
      message: expect.stringContaining(says),
    });
  });

  it("lists its models", async () => {
    const { data } = JSON.parse(await (await fetch(`${server.url}/models`)).text());
    expect(data.map(({ id }: { id: string }) => id)).toContain("500-then-ok");
  });
});

function tool(name: string): object {
  return { type: "function", function: { name, parameters: { type: "object" } } };
}
function call(id: string): object {
  return { id, type: "function", function: { name: "x", arguments: "{}" } };
}
function result(id: string): object {
  return { role: "tool", tool_call_id: id, content: "x" };
}
