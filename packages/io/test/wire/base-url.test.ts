import { describe, expect, it } from "vitest";
import { isIOError } from "../../src/io-error.js";
import { apiUrl } from "../../src/wire/base-url.js";

const HOST = "http://127.0.0.1:1234";

describe("a base URL as people spell it", () => {
  it.each([
    { why: "the documented form", base: `${HOST}/v1`, chat: "/v1/chat/completions", models: "/v1/models" },
    { why: "a slash at the end", base: `${HOST}/v1/`, chat: "/v1/chat/completions", models: "/v1/models" },
    {
      why: "a longer prefix and two slashes",
      base: `${HOST}/openai/v1//`,
      chat: "/openai/v1/chat/completions",
      models: "/openai/v1/models",
    },
    { why: "blanks around", base: ` ${HOST}/v1 \n`, chat: "/v1/chat/completions", models: "/v1/models" },
    {
      why: "a query, which stays",
      base: `${HOST}/v1?api-version=7`,
      chat: "/v1/chat/completions?api-version=7",
      models: "/v1/models?api-version=7",
    },
    { why: "no path", base: HOST, chat: "/v1/chat/completions", models: "/v1/models" },
    { why: "only a slash", base: `${HOST}/`, chat: "/v1/chat/completions", models: "/v1/models" },
    {
      why: "the call pasted whole",
      base: `${HOST}/v1/chat/completions`,
      chat: "/v1/chat/completions",
      models: "/v1/models",
    },
    {
      why: "the other call pasted whole",
      base: `${HOST}/v1/responses/`,
      chat: "/v1/chat/completions",
      models: "/v1/models",
    },
    {
      why: "the model list pasted",
      base: `${HOST}/v1/models`,
      chat: "/v1/chat/completions",
      models: "/v1/models",
    },
    { why: "the version twice", base: `${HOST}/v1/v1`, chat: "/v1/chat/completions", models: "/v1/models" },
    {
      why: "slashes inside",
      base: `${HOST}/openai//v1`,
      chat: "/openai/v1/chat/completions",
      models: "/openai/v1/models",
    },
    {
      why: "a prefix without a version",
      base: `${HOST}/api`,
      chat: "/api/chat/completions",
      models: "/api/models",
    },
    {
      why: "a fragment, which never reaches a server",
      base: `${HOST}/v1#x`,
      chat: "/v1/chat/completions",
      models: "/v1/models",
    },
  ])("joins $why", ({ base, chat, models }) => {
    expect(apiUrl(base, "chat/completions")).toBe(HOST + chat);
    expect(apiUrl(base, "models")).toBe(HOST + models);
  });

  it("takes the given prefix where the URL has no path", () => {
    expect(apiUrl(HOST, "models", { prefix: "/" })).toBe(`${HOST}/models`);
    expect(apiUrl(HOST, "models", { prefix: "/openai/v1" })).toBe(`${HOST}/openai/v1/models`);
    expect(apiUrl(`${HOST}/v2`, "models", { prefix: "/openai/v1" })).toBe(`${HOST}/v2/models`);
  });

  it.each([
    { why: "empty", base: "  ", says: "is empty" },
    { why: "no scheme", base: "127.0.0.1:1234/v1", says: "has no scheme" },
    { why: "a host that looks like a scheme", base: "localhost:1234/v1", says: "has no scheme" },
    { why: "another scheme", base: "ftp://127.0.0.1/v1", says: "has the scheme ftp://" },
    { why: "no host", base: "http://", says: "is not a URL" },
    { why: "credentials", base: "http://me:hunter22@host/v1", says: "credentials go into auth" },
  ])("refuses $why with key, value and wanted form", ({ base, says }) => {
    const failure = failureOf(() => apiUrl(base, "models", { key: "providers.lab.url" }));
    expect(failure).toMatchObject({ kind: "malformed", details: { at: "providers.lab.url" } });
    expect(failure.message).toContain("providers.lab.url");
    expect(failure.message).toContain(says);
    expect(failure.message).toContain("http://127.0.0.1:1234/v1");
  });

  it("shows the refused value, but no secret in it", () => {
    const failure = failureOf(() => apiUrl("htp://me:hunter22@host/v1?key=hunter23", "models"));
    expect(failure.message).toContain("host/v1");
    expect(failure.message).not.toMatch(/hunter/);
  });
});

function failureOf(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (isIOError(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
