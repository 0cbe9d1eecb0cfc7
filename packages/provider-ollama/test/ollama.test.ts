import {
  type Message,
  messageAssistant,
  messageToolResult,
  messageUser,
  type ResponseEvent,
} from "@ashlar/context";
import { accept } from "@ashlar/context/provider";
import { type ConnectOptions, connect, IO, type RequestOptions } from "@ashlar/io";
import {
  type FakeServerOptions,
  type RecordedRequest,
  type RunningServer,
  startFakeOllama,
} from "@ashlar/testing";
import { afterEach, describe, expect, it } from "vitest";
import { Ollama } from "../src/index.js";
import { recordOf, type UnknownRecord } from "../src/record.js";

const PNG = "iVBORw0KGgo=";
const read = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

let server: RunningServer | undefined;
let io: IO | undefined;

afterEach(async () => {
  await io?.close();
  io = undefined;
  await server?.close();
  server = undefined;
});

async function open(
  model: string,
  options: FakeServerOptions = {},
  connection: Partial<ConnectOptions> = {},
): Promise<void> {
  server = await startFakeOllama(options);
  io = new IO(connect(Ollama, { url: server.url, model, ...connection }));
}

async function ask(context: readonly Message[] = [messageUser("hi")], options: RequestOptions = {}) {
  const events: ResponseEvent[] = [];
  const end = await io?.write(context, (event) => events.push(event), options);
  if (end === undefined) throw new Error("open a connection first");
  return { end, events };
}

const requests = (): readonly RecordedRequest[] => server?.requests ?? [];
const asked = (): readonly RecordedRequest[] => server?.asked() ?? [];
const lastBody = (): UnknownRecord => recordOf(asked().at(-1)?.body);

describe("the class", () => {
  it("is a provider by the contract", () => {
    expect(accept(Ollama, "ollama")).toBe(Ollama);
  });

  it("knows the local server and the cloud", () => {
    expect(Ollama.knownEndpoints?.map(({ name, url }) => [name, url])).toEqual([
      ["ollama", "http://127.0.0.1:11434"],
      ["ollama-cloud", "https://ollama.com"],
    ]);
  });

  it.each([
    { token: " key ", auth: { type: "api_key", token: "key" } },
    { token: "", auth: { type: "none" } },
    { token: undefined, auth: { type: "none" } },
  ])("logs in with $token", async ({ token, auth }) => {
    expect(await Ollama.login?.({ url: "x", ...(token !== undefined && { token }) })).toEqual(auth);
  });
});

describe("a base URL", () => {
  it.each(["", "/", "/api", "/api/", "/v1", "/v1/", "//"])(
    "that ends in %j reaches /api/chat",
    async (ending) => {
      server = await startFakeOllama();
      io = new IO(connect(Ollama, { url: `${server.url}${ending}`, model: "ok" }));
      expect((await ask()).end.type).toBe("done");
      expect(
        requests().every(
          ({ path, status }) => path.startsWith("/api/") && !path.includes("//") && status === 200,
        ),
      ).toBe(true);
    },
  );

  it("that is none fails before any request, with the form that is wanted", async () => {
    await open("ok", {}, { url: "http://host:0" });
    expect((await ask()).end).toMatchObject({
      type: "error",
      kind: "malformed",
      error: expect.stringMatching(/url.*wanted/),
    });
    expect(requests()).toEqual([]);
  });
});

describe("credentials", () => {
  it("ride every call as a bearer token", async () => {
    await open("ok", { apiKey: "secret-key" }, { auth: "secret-key" });
    expect((await ask()).end.type).toBe("done");
    expect(requests().map(({ status }) => status)).toEqual(requests().map(() => 200));
  });

  it("in the URL ride as basic authorization and never show", async () => {
    server = await startFakeOllama();
    io = new IO(connect(Ollama, { url: server.url.replace("//", "//me:hunter2@"), model: "401" }));
    const { end } = await ask();
    expect(requests().map(({ headers }) => headers.authorization)).toEqual(
      requests().map(() => `Basic ${btoa("me:hunter2")}`),
    );
    expect(JSON.stringify(end)).not.toContain("hunter2");
  });
});

describe("thinking", () => {
  it("is not mentioned unless asked for", async () => {
    await open("thinking");
    await ask();
    expect(lastBody()).not.toHaveProperty("think");
  });

  it.each([
    { model: "thinking", level: "high", think: true },
    { model: "thinking", level: "none", think: false },
    { model: "levels", level: "medium", think: "medium" },
    { model: "levels", level: "max", think: "high" },
    { model: "levels", level: "minimal", think: "low" },
  ] as const)("$level on $model sends $think", async ({ model, level, think }) => {
    await open(model);
    const { end } = await ask([messageUser("hi")], { thinking: level });
    expect(lastBody().think).toBe(think);
    expect(end.warnings).toBeUndefined();
  });

  it("is not asked of a model that cannot, and that is said once", async () => {
    await open("ok");
    const first = await ask([messageUser("hi")], { thinking: "high" });
    const second = await ask([messageUser("hi")], { thinking: "high" });
    expect(lastBody()).not.toHaveProperty("think");
    expect(first.end.warnings).toEqual([expect.stringContaining("ok: the model does not think")]);
    expect(second.end.warnings).toBeUndefined();
  });

  it("goes back on the turn that carries calls", async () => {
    await open("ok");
    const { end } = await ask([
      messageUser("hi"),
      messageAssistant([
        { type: "thinking", text: "Hm." },
        { type: "toolCall", callId: "c1", name: "read", arguments: {} },
      ]),
      messageToolResult({ callId: "c1", name: "read", content: [{ type: "text", text: "x" }] }),
    ]);
    expect(end.type).toBe("done");
    expect(lastBody().messages).toMatchObject([{}, { thinking: "Hm." }, {}]);
  });
});

describe("a request", () => {
  it("carries tools, options, keep_alive and headers of the settings", async () => {
    const settings = { temperature: 0, maxTokens: 50, keepAlive: "1h", headers: { "X-Tenant": "7" } };
    await open("ok", {}, { settings });
    await ask([messageUser("hi")], { tools: [read] });
    expect(lastBody()).toMatchObject({
      model: "ok",
      keep_alive: "1h",
      options: { temperature: 0, num_predict: 50, num_ctx: 32_768 },
      tools: [{ type: "function", function: { name: "read" } }],
    });
    expect(asked()[0]?.headers["x-tenant"]).toBe("7");
  });

  it("sends no empty list of tools", async () => {
    await open("ok");
    await ask();
    expect(lastBody()).not.toHaveProperty("tools");
  });

  it("carries a schema as format and says it in the prompt, which format does not", async () => {
    await open("ok");
    const format = { type: "object", properties: { a: { type: "number" } } };
    await ask([messageUser("Give a.")], { format });
    expect(lastBody().format).toEqual(format);
    expect(lastBody().messages).toEqual([
      {
        role: "user",
        content: `Give a.\n\nAnswer in JSON that fits this JSON Schema: ${JSON.stringify(format)}`,
      },
    ]);
  });

  it("carries json as format", async () => {
    await open("ok");
    await ask([messageUser("Give a.")], { format: "json" });
    expect(lastBody()).toMatchObject({
      format: "json",
      messages: [{ content: "Give a.\n\nAnswer in JSON." }],
    });
  });

  it("carries images to a model that sees, and warns once for one that does not", async () => {
    const context = [messageUser([{ type: "image", content: PNG }])];
    await open("vision");
    expect((await ask(context)).end.warnings).toBeUndefined();
    expect(lastBody().messages).toMatchObject([{ images: [PNG] }]);
    await io?.close();
    io = new IO(connect(Ollama, { url: server?.url ?? "", model: "ok" }));
    expect((await ask(context)).end.warnings).toEqual([expect.stringContaining("does not take images")]);
    expect((await ask(context)).end.warnings).toBeUndefined();
  });

  it("leaves out a tool whose schema is broken, says so, and offers the others", async () => {
    await open("ok");
    const broken = { name: "bad", description: "", inputSchema: { properties: [] } };
    const { end } = await ask([messageUser("hi")], { tools: [broken, read] });
    expect(end.warnings).toEqual([expect.stringContaining("The tool bad was not offered")]);
    expect(lastBody().tools).toMatchObject([{ function: { name: "read" } }]);
  });
});

describe("a conversation with calls", () => {
  it("is one that a strict server takes: call, result, answer", async () => {
    await open("read");
    const question = messageUser("Read notes.txt.");
    const { end: first } = await ask([question], { tools: [read] });
    expect(first).toMatchObject({ type: "done", doneReason: "toolCalls" });
    const call = first.message?.content.find((block) => block.type === "toolCall");
    expect(call).toMatchObject({ name: "read", arguments: { path: "notes.txt" } });
    const result = messageToolResult({
      callId: call?.callId ?? "",
      name: "read",
      content: [{ type: "text", text: "# Notes" }],
    });
    const { end: second } = await ask([question, first.message ?? messageAssistant(""), result], {
      tools: [read],
    });
    expect(second.message?.content).toEqual([
      { type: "text", text: "The first line of notes.txt is: # Notes" },
    ]);
  });

  it("numbers calls without an id on from those in the context", async () => {
    const frame = {
      message: { content: "", tool_calls: [{ function: { name: "read", arguments: {} } }] },
      done: true,
    };
    await open("m", {
      models: { m: {} },
      script: () => ({ parts: [{ raw: `${JSON.stringify(frame)}\n` }, { cut: true }] }),
    });
    const context = [
      messageUser("a"),
      messageAssistant([{ type: "toolCall", callId: "ollama-41", name: "read", arguments: {} }]),
      messageToolResult({ callId: "ollama-41", name: "read", content: [{ type: "text", text: "x" }] }),
    ];
    expect((await ask(context)).end.message?.content).toMatchObject([{ callId: "ollama-42" }]);
  });
});

describe("a stream", () => {
  it("brings a line of 3 MiB whole", async () => {
    await open("big");
    const { end } = await ask();
    expect(end.message?.content).toEqual([{ type: "text", text: "a".repeat(3_145_728) }]);
  });

  it.each(["stall", "stall-after-headers", "stall-after-text"])(
    "that hangs (%s) is left by a cancel, and its socket is closed",
    async (model) => {
      await open(model);
      const abort = new AbortController();
      const ending = ask([messageUser("hi")], { signal: abort.signal });
      while (asked().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      abort.abort();
      expect((await ending).end).toMatchObject({ type: "error", kind: "cancelled", cancelled: true });
      await asked()[0]?.closed;
      expect(asked()[0]?.closedEarly).toBe(true);
    },
  );

  it("cancelled before it began sends no chat at all", async () => {
    await open("ok");
    expect((await ask([messageUser("hi")], { signal: AbortSignal.abort() })).end).toMatchObject({
      kind: "cancelled",
    });
    expect(asked()).toEqual([]);
  });

  it("of a real overflow names both numbers", async () => {
    await open("small-window");
    const { end } = await ask([messageUser("word ".repeat(5000))]);
    expect(end).toMatchObject({
      type: "error",
      kind: "provider",
      retryable: false,
      contextOverflow: { window: 4096, needed: expect.any(Number) },
    });
  });

  it("is never started where nobody listens, and the remedy is said", async () => {
    await open("ok", {}, { url: "http://127.0.0.1:9" });
    expect((await ask()).end).toMatchObject({
      type: "error",
      kind: "network",
      error: expect.stringContaining("ollama serve"),
    });
  });
});
