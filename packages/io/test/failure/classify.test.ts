import { describe, expect, it } from "vitest";
import { classifyError, depletionError, isRetryable } from "../../src/failure/classify.js";
import { IOError } from "../../src/io-error.js";

const coded = (code: string) => Object.assign(new Error("x"), { code });
const withStatus = (status: number) => Object.assign(new Error("x"), { status });

describe("the verdict on a failure", () => {
  it.each([
    { why: "401", error: withStatus(401), kind: "auth", retryable: false },
    { why: "403", error: withStatus(403), kind: "auth", retryable: false },
    { why: "400", error: withStatus(400), kind: "provider", retryable: false },
    { why: "404", error: withStatus(404), kind: "provider", retryable: false },
    { why: "408", error: withStatus(408), kind: "provider", retryable: true },
    { why: "409", error: withStatus(409), kind: "provider", retryable: true },
    { why: "425", error: withStatus(425), kind: "provider", retryable: true },
    { why: "429", error: withStatus(429), kind: "provider", retryable: true },
    { why: "500", error: withStatus(500), kind: "provider", retryable: true },
    { why: "503", error: withStatus(503), kind: "provider", retryable: true },
    { why: "529", error: withStatus(529), kind: "provider", retryable: true },
    { why: "a socket that was reset", error: coded("ECONNRESET"), kind: "network", retryable: true },
    { why: "a host without a name", error: coded("ENOTFOUND"), kind: "network", retryable: true },
    { why: "an HTTP client's failure", error: coded("UND_ERR_SOCKET"), kind: "network", retryable: true },
    {
      why: "fetch's TypeError, by its cause",
      error: new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }),
      kind: "network",
      retryable: true,
    },
    {
      why: "a TypeError of the provider's own code",
      error: new TypeError("x is undefined"),
      kind: "provider",
      retryable: false,
    },
    { why: "a plain error that says nothing", error: new Error("boom"), kind: "provider", retryable: false },
    { why: "a thrown text", error: "boom", kind: "provider", retryable: false },
    { why: "undefined", error: undefined, kind: "provider", retryable: false },
    { why: "JSON that does not parse", error: new SyntaxError("x"), kind: "malformed", retryable: false },
    { why: "a file that is missing", error: coded("ENOENT"), kind: "provider", retryable: false },
    {
      why: "a timeout of the platform",
      error: new DOMException("x", "TimeoutError"),
      kind: "network",
      retryable: true,
    },
    {
      why: "a plain error with a kind",
      error: Object.assign(new Error("x"), { kind: "malformed" }),
      kind: "malformed",
      retryable: false,
    },
    {
      why: "a failure inside a stream, without a status",
      error: Object.assign(new Error("runner stopped"), { kind: "provider" }),
      kind: "provider",
      retryable: true,
    },
    { why: "a kind that is none", error: new IOError("usage", "x", {}), kind: "provider", retryable: false },
    {
      why: "overload under a 4xx status",
      error: Object.assign(new Error("The model is overloaded"), { status: 400 }),
      kind: "provider",
      retryable: true,
    },
    {
      why: "a context that did not fit",
      error: Object.assign(new Error("prompt is too long: 9 tokens > 8 maximum"), { status: 500 }),
      kind: "provider",
      retryable: false,
    },
  ])("is $kind for $why", ({ error, kind, retryable }) => {
    const classified = classifyError(error);
    expect(classified.kind).toBe(kind);
    expect(isRetryable(classified)).toBe(retryable);
  });

  it("lets a plain error say everything itself", () => {
    const error = Object.assign(new Error("x"), {
      kind: "provider",
      status: 429,
      retryAfterMs: 5,
      retryable: false,
    });
    expect(classifyError(error)).toEqual({
      kind: "provider",
      message: "x",
      status: 429,
      retryAfterMs: 5,
      retryable: false,
    });
  });

  it.each([
    { why: "payment required", classified: { kind: "provider", status: 402, message: "x" }, depleted: true },
    {
      why: "a quota",
      classified: { kind: "provider", status: 429, message: "You exceeded your current quota" },
      depleted: true,
    },
    {
      why: "a quota that comes back at a stated time",
      classified: {
        kind: "provider",
        status: 429,
        message: "You exceeded your current quota",
        retryAfterMs: 100,
      },
      depleted: false,
    },
    {
      why: "a passing limit",
      classified: { kind: "provider", status: 429, message: "slow down" },
      depleted: false,
    },
  ] as const)("tells a spent budget from a passing limit: $why", ({ classified, depleted }) => {
    expect(depletionError(classified)).toBe(depleted);
  });
});
