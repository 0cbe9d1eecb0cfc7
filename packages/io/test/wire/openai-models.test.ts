import type { CatalogueQuery, FetchInit } from "@ashlar/context/provider";
import { describe, expect, it } from "vitest";
import { chatWire } from "../../src/wire/openai-chat/index.js";
import { responsesWire } from "../../src/wire/openai-responses/index.js";

describe("the model list", () => {
  it("is asked below the base URL with the credentials and gives the windows that servers name", async () => {
    const asked: unknown[] = [];
    const query = answering(
      200,
      {
        data: [
          { id: "plain" },
          { id: "vllm", max_model_len: 8192 },
          { id: "lm-studio", loaded_context_length: 4096, max_context_length: 131072 },
          { id: "llama-cpp", meta: { n_ctx: 4096, n_ctx_train: 40960 } },
          { id: "router", context_length: 200000, name: "Router" },
          { name: "no id" },
          "noise",
        ],
      },
      asked,
    );
    expect(await chatWire.models(query)).toEqual({
      plain: {},
      vllm: { contextWindow: 8192 },
      "lm-studio": { contextWindow: 4096, maxContextWindow: 131072 },
      "llama-cpp": { contextWindow: 4096, maxContextWindow: 40960 },
      router: { contextWindow: 200000, label: "Router" },
    });
    expect(asked).toEqual([
      {
        url: "http://h/v1/models?v=7",
        headers: { accept: "application/json", authorization: "Bearer sesame" },
      },
    ]);
  });

  it("is taken as a bare list, too", async () => {
    expect(await responsesWire.models(answering(200, [{ id: "a" }]))).toEqual({ a: {} });
  });

  it("never takes a model name for an object's own name", async () => {
    const models = await chatWire.models(
      answering(200, { data: [{ id: "__proto__" }, { id: "constructor" }] }),
    );
    expect(Object.keys(models)).toEqual(["__proto__", "constructor"]);
  });

  it.each([
    { why: "credentials that are refused", status: 401, body: {}, expected: { kind: "auth", status: 401 } },
    { why: "a page that is not there", status: 404, body: {}, expected: { kind: "provider", status: 404 } },
    { why: "something else than a list", status: 200, body: { hello: 1 }, expected: { kind: "provider" } },
    { why: "something else than JSON", status: 200, body: undefined, expected: { kind: "provider" } },
  ])("is an error on $why", async ({ status, body, expected }) => {
    await expect(chatWire.testConnection(answering(status, body))).rejects.toMatchObject(expected);
  });

  it("proves the connection by its length", async () => {
    expect(await responsesWire.testConnection(answering(200, { data: [{ id: "a" }, { id: "b" }] }))).toEqual({
      models: 2,
    });
  });
});

function answering(status: number, body: unknown, asked: unknown[] = []): CatalogueQuery {
  return {
    url: "http://h/v1?v=7",
    auth: { type: "api_key", token: "sesame" },
    settings: {},
    signal: new AbortController().signal,
    fetch: async (url: string, init?: FetchInit) => {
      asked.push({ url, headers: init?.headers });
      return {
        ok: status < 300,
        status,
        headers: { get: () => null },
        text: async () => String(body),
        json: async () => (body === undefined ? JSON.parse("<html>") : body),
      };
    },
  };
}
