import { messageUser, type TerminalEvent } from "@ashlar/context";
import { connect, IO } from "@ashlar/io";
import { type FakeServerOptions, type RunningServer, startFakeOllama } from "@ashlar/testing";
import { afterEach, describe, expect, it } from "vitest";
import { Ollama } from "../../src/index.js";
import { recordOf, type UnknownRecord } from "../../src/record.js";

let server: RunningServer;
let io: IO;

afterEach(async () => {
  await io.close();
  await server.close();
});

async function open(
  model: string,
  options: FakeServerOptions = {},
  settings: Record<string, unknown> = {},
): Promise<IO> {
  server = await startFakeOllama(options);
  io = new IO(connect(Ollama, { url: server.url, model, settings }));
  return io;
}

async function startAndStop(): Promise<RunningServer> {
  server = await startFakeOllama();
  await server.close();
  return server;
}

const ask = (text = "hi"): Promise<TerminalEvent> => io.write([messageUser(text)], () => undefined);
const sent = (): UnknownRecord[] => server.asked().map(({ body }) => recordOf(body));
const windows = (): unknown[] => sent().map(({ options }) => recordOf(options).num_ctx);
const paths = (): string[] => server.requests.map(({ path }) => path);

describe("the context window of a session", () => {
  it("is the smaller of the model's maximum and 32,768 when nothing else decides", async () => {
    await open("ok");
    await ask();
    expect(windows()).toEqual([32_768]);
  });

  it("is the model's maximum when that is smaller", async () => {
    await open("ok", { models: { ok: { contextLength: 8192 } } });
    await ask();
    expect(windows()).toEqual([8192]);
  });

  it("is what the server has loaded, so that the model is not loaded again", async () => {
    await open("ok");
    await fetch(`${server.url}/api/chat`, {
      method: "POST",
      body: JSON.stringify({
        model: "ok:latest",
        messages: [{ role: "user", content: "x" }],
        options: { num_ctx: 65_536 },
      }),
    });
    await ask();
    expect(windows()).toEqual([65_536, 65_536]);
  });

  it.each([{ contextWindow: 12_000 }, { options: { num_ctx: 12_000 } }])(
    "is the setting %j before all else",
    async (settings) => {
      await open("ok", {}, settings);
      await ask();
      expect(windows()).toEqual([12_000]);
      expect(paths().indexOf("/api/ps")).toBeGreaterThan(paths().indexOf("/api/chat"));
    },
  );

  it("is 32,768 when the server tells nothing", async () => {
    await open("ok", { missing: ["/api/show", "/api/ps", "/api/version"] });
    expect((await ask()).type).toBe("done");
    expect(windows()).toEqual([32_768]);
  });

  it("is not waited for from a server that answers nothing but the chat", async () => {
    await open("ok", { silent: ["/api/show", "/api/ps", "/api/version"] });
    expect((await ask()).type).toBe("done");
    expect(windows()).toEqual([32_768]);
  }, 60_000);

  it("stays the same on every call, and is asked for and confirmed once", async () => {
    await open("ok");
    for (let turn = 0; turn < 3; turn += 1) await ask();
    expect(windows()).toEqual([32_768, 32_768, 32_768]);
    expect(paths()).toEqual(
      expect.arrayContaining([
        "/api/show",
        "/api/ps",
        "/api/chat",
        "/api/ps",
        "/api/version",
        "/api/chat",
        "/api/chat",
      ]),
    );
    expect(paths()).toHaveLength(7);
  });

  it("goes with truncate and shift off", async () => {
    await open("ok");
    await ask();
    expect(sent()[0]).toMatchObject({ truncate: false, shift: false, stream: true });
  });

  it("is reported, with what is used, in tokens", async () => {
    await open("ok", {
      script: () => ({ parts: [{ text: "hi" }, { finish: { inputTokens: 100, outputTokens: 20 } }] }),
    });
    await ask();
    expect(io.contextUsage).toMatchObject({ used: 120, total: 32_768 });
  });

  it("is warned of with both numbers when the server gave less", async () => {
    await open("ok", { models: { ok: { allocates: 4096 } } });
    const end = await ask();
    expect(end.warnings).toEqual([expect.stringMatching(/4096 tokens, not the 32768/)]);
    expect(io.contextUsage).toMatchObject({ total: 4096 });
    expect((await ask()).warnings).toBeUndefined();
    expect(windows()).toEqual([32_768, 32_768]);
  });

  it("is looked up again after a request that did not reach the server", async () => {
    const { port } = await startAndStop();
    io = new IO(connect(Ollama, { url: `http://127.0.0.1:${port}`, model: "ok" }));
    expect(await ask()).toMatchObject({ type: "error", kind: "network" });
    server = await startFakeOllama({ port, models: { ok: { contextLength: 9000 } } });
    expect((await ask()).type).toBe("done");
    expect(windows()).toEqual([9000]);
  });

  it("is looked up once for many sessions on one model", async () => {
    await open("ok", { models: { ok: { allocates: 4096 } } });
    await ask();
    await io.close();
    io = new IO(connect(Ollama, { url: server.url, model: "ok" }));
    expect((await ask()).warnings).toEqual([expect.stringContaining("4096 tokens")]);
    expect(paths().filter((path) => path !== "/api/chat")).toHaveLength(4);
    expect(windows()).toEqual([32_768, 32_768]);
  });

  it("is refused before any request when the setting is wrong", async () => {
    await open("ok", {}, { contextWindow: "big" });
    expect(await ask()).toMatchObject({
      type: "error",
      kind: "malformed",
      error: expect.stringContaining("settings.contextWindow"),
    });
    expect(server.requests).toEqual([]);
  });
});

describe("a prompt that was cut in silence", () => {
  const long = "w1 w2 w3 w4 w5 w6 ".repeat(1000);

  it("is noticed, and its count is no measurement", async () => {
    await open("truncates");
    const end = await ask(long);
    expect(end.type).toBe("done");
    expect(end.warnings).toEqual([
      expect.stringMatching(/counted 2050 prompt tokens where about \d+ were sent/),
    ]);
    expect(end.usage?.source).toBe("estimate");
    expect(end.usage?.inputTokens).toBeGreaterThan(4000);
    expect(io.contextUsage?.used).not.toBe(2052);
  });

  it("is noticed again on every turn, with the window constant", async () => {
    await open("truncates", {}, { contextWindow: 32_768 });
    for (let turn = 1; turn <= 4; turn += 1) {
      const end = await ask(long.repeat(turn));
      expect(end.warnings).toHaveLength(1);
    }
    expect(windows()).toEqual([32_768, 32_768, 32_768, 32_768]);
  });

  it.each(["0.1.48", "0.30.1"])(
    "is not suspected on %s, which does not count what its cache held",
    async (version) => {
      await open("truncates", { version });
      const end = await ask(long);
      expect(end.warnings).toBeUndefined();
      expect(end.usage?.source).toBe("estimate");
    },
  );

  it.each(["0.15.5", "0.33.3", "0.40.12", "0.0.0"])("is suspected on %s", async (version) => {
    await open("truncates", { version });
    expect((await ask(long)).warnings).toHaveLength(1);
  });

  it("is not seen in a short prompt, whatever the server counts", async () => {
    await open("ok", {
      script: () => ({ parts: [{ text: "x" }, { finish: { inputTokens: 7, outputTokens: 3 } }] }),
    });
    const end = await ask("a short prompt of a few words, as they are");
    expect(end.warnings).toBeUndefined();
    expect(end.usage).toEqual({ inputTokens: 7, outputTokens: 3, source: "provider" });
  });
});

describe("what the catalogue told", () => {
  it("is not asked again", async () => {
    server = await startFakeOllama();
    const info = { maxContextWindow: 16_384, thinking: [], input: ["text"], tools: true };
    io = new IO(connect(Ollama, { url: server.url, model: "ok", info }));
    await ask();
    expect(windows()).toEqual([16_384]);
    expect(paths()).not.toContain("/api/show");
  });
});
