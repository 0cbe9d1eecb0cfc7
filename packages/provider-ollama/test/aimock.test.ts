import { messageAssistant, messageToolResult, messageUser } from "@ashlar/context";
import { connect, IO } from "@ashlar/io";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Ollama } from "../src/index.js";

const tools = [
  {
    name: "read",
    description: "Reads.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

let mock: LLMock;
let io: IO;

beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.on(
    { userMessage: "Read", hasToolResult: false },
    { toolCalls: [{ name: "read", arguments: '{"path":"a.txt"}' }] },
  );
  mock.on({ userMessage: "Read", hasToolResult: true }, { content: "The file says: 日本語 🙂" });
  mock.onMessage("hello", { content: "Hi there, you!" });
  mock.onMessage("fail", { error: { message: "no capacity left", type: "server_error" }, status: 503 });
  await mock.start();
});
afterAll(() => mock.stop());
beforeEach(() => {
  io = new IO(connect(Ollama, { url: mock.baseUrl, model: "llama3.2" }));
});

describe("against somebody else's Ollama", () => {
  it("streams an answer", async () => {
    const end = await io.write([messageUser("hello")], () => undefined);
    expect(end).toMatchObject({
      type: "done",
      doneReason: "stop",
      message: { content: [{ type: "text", text: "Hi there, you!" }] },
    });
  });

  it("calls a tool and answers from its result", async () => {
    const question = messageUser("Read a.txt");
    const first = await io.write([question], () => undefined, { tools });
    const call = first.message?.content.find((block) => block.type === "toolCall");
    expect(call).toMatchObject({ name: "read", arguments: { path: "a.txt" } });
    const result = messageToolResult({
      callId: call?.callId ?? "",
      name: "read",
      content: [{ type: "text", text: "x" }],
    });
    const second = await io.write(
      [question, first.message ?? messageAssistant(""), result],
      () => undefined,
      { tools },
    );
    expect(second.message?.content).toEqual([{ type: "text", text: "The file says: 日本語 🙂" }]);
  });

  it("reports a refusal with its status and words", async () => {
    const end = await io.write([messageUser("fail")], () => undefined);
    expect(end).toMatchObject({
      type: "error",
      kind: "provider",
      status: 503,
      error: expect.stringContaining("no capacity left"),
    });
  });

  it("lists models without the details it does not have", async () => {
    const models = await Ollama.models?.({
      url: mock.baseUrl,
      auth: undefined,
      settings: {},
      signal: AbortSignal.timeout(10_000),
      fetch: (url, init) => fetch(url, init),
    });
    expect(Object.values(models ?? {})).toContainEqual({ contextWindow: 32_768 });
  });
});
