import type { CatalogueQuery } from "@ashlar/context/provider";
import { type RunningServer, startFakeOllama } from "@ashlar/testing";
import { afterEach, describe, expect, it } from "vitest";
import { Ollama } from "../../src/index.js";

let server: RunningServer | undefined;
afterEach(async () => server?.close());

const query = (url: string, more: Partial<CatalogueQuery> = {}): CatalogueQuery => ({
  url,
  auth: undefined,
  settings: {},
  signal: AbortSignal.timeout(10_000),
  fetch: (address, init) => fetch(address, init),
  ...more,
});

const models = (more?: Partial<CatalogueQuery>) =>
  Ollama.models?.(query(server?.url ?? "", more)) ?? Promise.reject();

describe("the models of a server", () => {
  it("come with what the server says of them", async () => {
    server = await startFakeOllama();
    const found = await models();
    expect(found["ok:latest"]).toEqual({
      contextWindow: 32_768,
      maxContextWindow: 131_072,
      thinking: [],
      tools: true,
      input: ["text"],
    });
    expect(found["levels:latest"]).toMatchObject({ thinking: ["low", "medium", "high"] });
    expect(found["thinking:latest"]).toMatchObject({ thinking: ["off", "on"] });
    expect(found["vision:latest"]).toMatchObject({ input: ["text", "image"] });
    expect(found["no-tools:latest"]).toMatchObject({ tools: false });
    expect(found["small-window:latest"]).toMatchObject({ contextWindow: 4096, maxContextWindow: 4096 });
  });

  it("answer to their short names too, hidden", async () => {
    server = await startFakeOllama();
    expect((await models()).ok).toMatchObject({ contextWindow: 32_768, secret: true });
  });

  it("have the window that is configured for the endpoint", async () => {
    server = await startFakeOllama();
    expect((await models({ settings: { contextWindow: 65_536 } }))["ok:latest"]).toMatchObject({
      contextWindow: 65_536,
      maxContextWindow: 131_072,
    });
  });

  it("hide what cannot chat", async () => {
    server = await startFakeOllama({ models: { "embed:1b": { capabilities: ["embedding"] } } });
    expect((await models())["embed:1b"]).toMatchObject({ secret: true });
  });

  it("are described once for a digest, and by few calls at a time", async () => {
    server = await startFakeOllama({
      models: { "new-a": { contextLength: 1111 }, "new-b": { contextLength: 2222 } },
    });
    await models();
    const shown = server.requests.filter(({ path }) => path === "/api/show").length;
    await models();
    expect(server.requests.filter(({ path }) => path === "/api/show")).toHaveLength(shown);
  });

  it("are listed even when their details cannot be had", async () => {
    server = await startFakeOllama({
      missing: ["/api/show"],
      models: { "undescribed:7b": { capabilities: ["thinking"] } },
    });
    expect((await models())["undescribed:7b"]).toEqual({ contextWindow: 32_768 });
  });

  it("may have any name", async () => {
    server = await startFakeOllama({
      models: { ["__proto__"]: {}, "hf.co/org/model:Q4": {}, constructor: {} },
    });
    const found = await models();
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(["__proto__:latest", "__proto__", "hf.co/org/model:Q4", "constructor"]),
    );
  });

  it("need the right credentials", async () => {
    server = await startFakeOllama({ apiKey: "right" });
    await expect(models({ auth: { type: "api_key", token: "wrong" } })).rejects.toMatchObject({
      kind: "auth",
      details: { status: 401 },
    });
    await expect(models({ auth: { type: "api_key", token: "right" } })).resolves.toHaveProperty("ok");
  });

  it("are not there when nobody listens, and the transport's own error says so", async () => {
    await expect(Ollama.models?.(query("http://127.0.0.1:9"))).rejects.toThrow();
  });

  it("end with the query's signal", async () => {
    server = await startFakeOllama();
    await expect(models({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });
});

describe("the test of a connection", () => {
  it("gives the version and the number of models", async () => {
    server = await startFakeOllama({ version: "0.33.3" });
    expect(await Ollama.testConnection?.(query(`${server.url}/api/`))).toEqual({
      version: "0.33.3",
      models: expect.any(Number),
    });
  });

  it.each([
    { why: "the credentials are wrong", options: { apiKey: "k" }, kind: "auth" },
    { why: "it is another server", options: { missing: ["/api/version"] }, kind: "provider" },
  ])("fails when $why", async ({ options, kind }) => {
    server = await startFakeOllama(options);
    await expect(Ollama.testConnection?.(query(server.url))).rejects.toMatchObject({ kind });
  });

  it("fails on a page that is no API", async () => {
    const page: CatalogueQuery["fetch"] = async () => ({
      ok: true,
      status: 200,
      headers: { get: () => "text/html" },
      text: async () => "<html>",
      json: async () => JSON.parse("<html>"),
    });
    await expect(Ollama.testConnection?.(query("http://proxy", { fetch: page }))).rejects.toMatchObject({
      kind: "provider",
    });
  });

  it("refuses a url that is none, and names it", async () => {
    await expect(async () => Ollama.testConnection?.(query("ftp://x"))).rejects.toMatchObject({
      kind: "malformed",
      details: { at: "url" },
    });
  });
});

describe("the search for a server", () => {
  const detect = (OLLAMA_HOST: string, endpoints: readonly string[] = []) =>
    Ollama.detect?.({
      endpoints,
      environment: { OLLAMA_HOST },
      signal: AbortSignal.timeout(5000),
      fetch: (url, init) => fetch(url, init),
    });

  it("finds one where OLLAMA_HOST points", async () => {
    server = await startFakeOllama();
    expect(await detect(`127.0.0.1:${server.port}`)).toEqual({
      ollama: { url: `http://127.0.0.1:${server.port}` },
    });
  });

  it("finds nothing where nobody listens, or another server does", async () => {
    server = await startFakeOllama({ missing: ["/api/version"] });
    expect(await detect("127.0.0.1:9")).toEqual({});
    expect(await detect(`127.0.0.1:${server.port}`)).toEqual({});
  });

  it("is left out when an endpoint of the name is configured", async () => {
    server = await startFakeOllama();
    expect(await detect(`127.0.0.1:${server.port}`, ["ollama"])).toEqual({});
    expect(server.requests).toEqual([]);
  });
});
