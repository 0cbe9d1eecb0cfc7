import { Ollama } from "ollama";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startFakeOllama } from "../../src/index.js";

const tools = [
  {
    type: "function",
    function: {
      name: "read",
      description: "Reads.",
      parameters: { type: "object", properties: { path: { type: "string" } } },
    },
  },
];
const user = (content: string) => [{ role: "user", content }];

let server: RunningServer;
let client: Ollama;

beforeAll(async () => {
  server = await startFakeOllama({ version: "0.40.12" });
  client = new Ollama({ host: server.url });
});
afterAll(() => server.close());

describe("the official client", () => {
  it("chats without a stream", async () => {
    const answer = await client.chat({ model: "ok", messages: user("hi") });
    expect(answer).toMatchObject({
      model: "ok",
      done: true,
      done_reason: "stop",
      message: { role: "assistant", content: "Hello from the fake model." },
    });
    expect(answer.prompt_eval_count).toBeGreaterThan(0);
  });

  it("chats with a stream", async () => {
    let text = "";
    let done = 0;
    for await (const part of await client.chat({ model: "ok", messages: user("hi"), stream: true })) {
      text += part.message.content;
      if (part.done) done += 1;
    }
    expect([text, done]).toEqual(["Hello from the fake model.", 1]);
  });

  it("reads thinking and levels", async () => {
    const thought = await client.chat({ model: "thinking", messages: user("hi"), think: true });
    expect(thought.message).toMatchObject({
      thinking: "The user wants an answer.",
      content: "I thought about it.",
    });
    const level = await client.chat({ model: "levels", messages: user("hi"), think: "high" });
    expect(level.message.content).toBe("Thought at level high.");
  });

  it("gets a tool call and sends its result", async () => {
    const first = await client.chat({ model: "read", messages: user("Read a.txt please"), tools });
    const call = first.message.tool_calls?.[0];
    expect(call?.function).toMatchObject({ name: "read", arguments: { path: "a.txt" } });
    const messages = [
      ...user("Read a.txt please"),
      first.message,
      { role: "tool", content: "alpha\nbeta", tool_name: "read" },
    ];
    const second = await client.chat({ model: "read", messages, tools });
    expect(second.message.content).toContain("alpha");
  });

  it("sends images", async () => {
    const answer = await client.chat({
      model: "vision",
      messages: [{ role: "user", content: "", images: [new Uint8Array([1, 2, 3])] }],
    });
    expect(answer.message.content).toBe("I see an image.");
  });

  it("lists, shows and sees what is loaded", async () => {
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toContain("ok:latest");
    const shown = await client.show({ model: "ok" });
    expect(shown.capabilities).toEqual(["completion", "tools"]);
    await client.chat({ model: "slow-loader", messages: user("x") }).catch(() => undefined);
    await client.chat({ model: "ok", messages: user("hi"), options: { num_ctx: 8192 } });
    const running = (await client.ps()).models.find(({ name }) => name === "ok:latest");
    expect(running).toMatchObject({ context_length: 8192 });
    expect(await client.version()).toEqual({ version: "0.40.12" });
  });

  it.each([
    { model: "400", status: 400 },
    { model: "401", status: 401 },
    { model: "404", status: 404 },
    { model: "429", status: 429 },
    { model: "500", status: 500 },
    { model: "503", status: 503 },
    { model: "overflow", status: 400 },
    { model: "nobody", status: 404 },
  ])("gets $status from $model", async ({ model, status }) => {
    await expect(client.chat({ model, messages: user("hi") })).rejects.toMatchObject({
      name: "ResponseError",
      status_code: status,
    });
  });

  it("gets the error of a stream that had begun", async () => {
    const read = async (): Promise<void> => {
      for await (const _ of await client.chat({
        model: "error-after-200",
        messages: user("hi"),
        stream: true,
      }));
    };
    await expect(read()).rejects.toThrow("out of memory");
  });

  it("gets an answer at the second try", async () => {
    await expect(client.chat({ model: "500-then-ok", messages: user("hi") })).rejects.toMatchObject({
      status_code: 500,
    });
    expect((await client.chat({ model: "500-then-ok", messages: user("hi") })).message.content).toBe(
      "Hello at the second try.",
    );
  });
});
