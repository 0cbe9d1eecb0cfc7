import { afterEach, describe, expect, it } from "vitest";
import {
  type FakeServerOptions,
  type RunningLLM,
  startFakeLLM,
  startFakeOllama,
  startFakeOpenAI,
} from "../src/index.js";

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(options?: FakeServerOptions): Promise<RunningLLM> {
  const server = await startFakeLLM(options);
  running.push(server);
  return server;
}

const ask = (url: string, model = "ok", init: RequestInit = {}) =>
  fetch(url, {
    method: "POST",
    body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "hi" }] }),
    ...init,
  });

describe("a fake server", () => {
  it("speaks all wires on one port", async () => {
    const server = await start();
    expect((await ask(`${server.ollamaUrl}/api/chat`)).headers.get("content-type")).toBe(
      "application/x-ndjson",
    );
    expect((await ask(`${server.openAIUrl}/chat/completions`)).headers.get("content-type")).toBe(
      "text/event-stream",
    );
    expect(server.asked().map(({ wire }) => wire)).toEqual(["ollama", "openai-chat"]);
  });

  it("of one wire does not speak the other", async () => {
    const ollama = await startFakeOllama();
    const openAI = await startFakeOpenAI();
    running.push(ollama, openAI);
    expect((await ask(`${ollama.url}/v1/chat/completions`)).status).toBe(404);
    expect((await ask(`http://127.0.0.1:${openAI.port}/api/chat`)).status).toBe(404);
  });

  it("answers unknown paths with an HTML page, as proxies do", async () => {
    const response = await fetch(`${(await start()).url}/v1/v1/models`);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html"]);
  });

  it("takes another path for the OpenAI wires and keeps the query", async () => {
    const server = await start({ openAIPath: "/openai/v1" });
    expect((await ask(`${server.openAIUrl}/chat/completions?api-version=7`)).status).toBe(200);
    expect(server.asked()[0]).toMatchObject({ path: "/openai/v1/chat/completions", query: "?api-version=7" });
  });

  it("asks for its key", async () => {
    const server = await start({ apiKey: "k" });
    expect((await ask(`${server.url}/api/chat`)).status).toBe(401);
    expect(
      (await ask(`${server.url}/api/chat`, "ok", { headers: { authorization: "Bearer k" } })).status,
    ).toBe(200);
  });

  it("lets a script decide, and the model's name where the script does not", async () => {
    const server = await start({
      script: ({ prompt, attempt }) =>
        attempt === 0 ? { parts: [{ text: `first: ${prompt}` }] } : undefined,
    });
    expect(await (await ask(`${server.url}/api/chat`)).text()).toContain("first: hi");
    expect(await (await ask(`${server.url}/api/chat`)).text()).toContain("Hello");
  });

  it("sends bytes as it is told, also inside characters", async () => {
    const server = await start({ delivery: { chunkBytes: 1 }, script: () => ({ parts: [{ text: "é🙂" }] }) });
    const response = await ask(`${server.url}/api/chat`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(10);
    expect(Buffer.concat(chunks).toString()).toContain("é🙂");
  });

  it("waits between writes, so that each arrives alone", async () => {
    const server = await start({
      script: () => ({ parts: [{ raw: "a" }, { raw: "b" }, { cut: true }], delivery: { waitMs: 30 } }),
    });
    const chunks: string[] = [];
    for await (const chunk of (await ask(`${server.url}/api/chat`)).body ?? [])
      chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(["a", "b"]);
  });

  it.each(["stall-after-headers", "stall-after-text", "keepalive-forever"])(
    "sees that a client left %s",
    async (model) => {
      const server = await start();
      const abort = new AbortController();
      await ask(`${server.url}/api/chat`, model, { signal: abort.signal });
      expect(server.asked()[0]?.closedEarly).toBe(false);
      abort.abort();
      await server.asked()[0]?.closed;
      expect(server.asked()[0]?.closedEarly).toBe(true);
    },
  );

  it("sees that a client left before any header", async () => {
    const server = await start();
    await expect(
      ask(`${server.url}/api/chat`, "stall", { signal: AbortSignal.timeout(50) }),
    ).rejects.toMatchObject({ name: "TimeoutError" });
    await server.asked()[0]?.closed;
    expect(server.asked()[0]).toMatchObject({ closedEarly: true, status: undefined });
  });

  it("knows an answer that was taken whole", async () => {
    const server = await start();
    await (await ask(`${server.url}/api/chat`)).text();
    await server.asked()[0]?.closed;
    expect(server.asked()[0]).toMatchObject({
      closedEarly: false,
      status: 200,
      method: "POST",
      body: { model: "ok" },
    });
  });

  it("says which port is taken", async () => {
    const server = await start();
    await expect(startFakeLLM({ port: server.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("is gone when it is closed, also while an answer hangs", async () => {
    const server = await start();
    const answer = await ask(`${server.url}/api/chat`, "stall-after-text");
    await server.close();
    await expect(answer.text()).rejects.toThrow("terminated");
    await expect(ask(`${server.url}/api/chat`)).rejects.toThrow("fetch failed");
  });

  it("counts its own tokens for a small window", async () => {
    const server = await start();
    const long = {
      method: "POST",
      body: JSON.stringify({
        model: "small-window",
        messages: [{ role: "user", content: "a".repeat(40_000) }],
      }),
    };
    const refused = JSON.parse(await (await fetch(`${server.url}/api/chat`, long)).text());
    expect(JSON.parse(refused.error).error).toMatchObject({
      type: "exceed_context_size_error",
      n_ctx: 4096,
      n_prompt_tokens: expect.any(Number),
    });
    const openAI = JSON.parse(await (await fetch(`${server.openAIUrl}/chat/completions`, long)).text());
    expect(openAI.error).toMatchObject({ code: "context_length_exceeded" });
  });
});
