import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startFakeOllama } from "../../src/index.js";

let server: RunningServer;
beforeAll(async () => {
  server = await startFakeOllama();
});
afterAll(() => server.close());

async function chat(body: string | object): Promise<{ status: number; error: string }> {
  const text = typeof body === "string" ? body : JSON.stringify({ model: "ok", ...body });
  const response = await fetch(`${server.url}/api/chat`, { method: "POST", body: text });
  const { error = "" } = JSON.parse(await response.text());
  return { status: response.status, error };
}

const user = { role: "user", content: "hi" };
const calls = (...ids: (string | undefined)[]) => ({
  role: "assistant",
  content: "",
  tool_calls: ids.map((id) => ({
    ...(id !== undefined && { id }),
    function: { name: "read", arguments: {} },
  })),
});
const result = (tool_call_id?: string) => ({
  role: "tool",
  content: "x",
  tool_name: "read",
  ...(tool_call_id !== undefined && { tool_call_id }),
});

describe("a strict server", () => {
  it.each([
    { why: "text alone", messages: [user] },
    { why: "a call and its result", messages: [user, calls("a"), result("a")] },
    {
      why: "two calls, results in the other order",
      messages: [user, calls("a", "b"), result("b"), result("a")],
    },
    { why: "calls without ids, as before ids", messages: [user, calls(undefined), result()] },
    { why: "an image", messages: [{ ...user, images: ["aGk="] }] },
  ])("takes $why", async ({ messages }) => {
    expect((await chat({ messages, stream: false })).status).toBe(200);
  });

  it.each([
    { why: "no JSON", body: "{", says: "valid JSON" },
    {
      why: "half a surrogate pair",
      body: '{"model":"ok","messages":[{"role":"user","content":"\\ud83d"}]}',
      says: "messages[0].content: the text holds half a surrogate pair",
    },
    {
      why: "a result without its call",
      body: { messages: [user, result("a")] },
      says: "messages[1]: a tool result without its call",
    },
    {
      why: "a call without its result",
      body: { messages: [user, calls("a"), user] },
      says: "messages[2]: the tool call a has no result",
    },
    {
      why: "a call at the end",
      body: { messages: [user, calls("a")] },
      says: "the end: the tool call a has no result",
    },
    {
      why: "a second result",
      body: { messages: [user, calls("a"), result("a"), result("a")] },
      says: "messages[3]: a tool result without",
    },
    {
      why: "an assistant that says nothing",
      body: { messages: [user, { role: "assistant", content: "" }] },
      says: "messages[1]: an assistant message needs text or tool calls",
    },
    {
      why: "one id twice",
      body: { messages: [user, calls("a", "a"), result("a"), result("a")] },
      says: "the tool-call id a is repeated",
    },
    {
      why: "arguments as text",
      body: { messages: [{ role: "assistant", tool_calls: [{ function: { name: "x", arguments: "{}" } }] }] },
      says: "messages[0].tool_calls[0].function.arguments: wanted an object",
    },
    {
      why: "an unknown role",
      body: { messages: [{ role: "robot", content: "" }] },
      says: "messages[0].role: wanted system, user",
    },
    {
      why: "a data URL",
      body: { messages: [{ ...user, images: ["data:image/png;base64,aGk="] }] },
      says: "messages[0].images[0]: wanted base64",
    },
    { why: "no model", body: '{"messages":[]}', says: "model: wanted text" },
    {
      why: "keep_alive without a unit",
      body: { messages: [user], keep_alive: "300" },
      says: "keep_alive: wanted a number of seconds",
    },
    {
      why: "a text as num_ctx",
      body: { messages: [user], options: { num_ctx: "8192" } },
      says: "options.num_ctx: wanted a number",
    },
    {
      why: "a number as think",
      body: { messages: [user], think: 2 },
      says: "think: wanted true, false or a level",
    },
    { why: "an unknown format", body: { messages: [user], format: "xml" }, says: "format: wanted" },
    {
      why: "a tool without parameters",
      body: { messages: [user], tools: [{ type: "function", function: { name: "x" } }] },
      says: "tools[0].function.parameters: wanted an object",
    },
  ])("refuses $why", async ({ body, says }) => {
    const { status, error } = await chat(body);
    expect(status).toBe(400);
    expect(error).toContain(says);
  });

  it("refuses thinking and tools of a model that has neither", async () => {
    expect(await chat({ messages: [user], think: true })).toEqual({
      status: 400,
      error: '"ok" does not support thinking',
    });
    const tools = [{ type: "function", function: { name: "x", parameters: {} } }];
    expect(await chat({ model: "no-tools", messages: [user], tools })).toMatchObject({
      status: 400,
      error: expect.stringContaining("does not support tools"),
    });
  });

  it("records what it refused", async () => {
    await chat({ messages: [result("a")] });
    expect(server.asked().at(-1)).toMatchObject({ status: 400, wire: "ollama", body: { model: "ok" } });
  });
});
