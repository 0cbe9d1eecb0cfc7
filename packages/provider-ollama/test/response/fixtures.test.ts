import { readdirSync } from "node:fs";
import type { Block, ErrorEvent, ResponseEvent } from "@ashlar/context";
import { connect, IO } from "@ashlar/io";
import { type Delivery, type RunningServer, startFakeOllama } from "@ashlar/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Ollama } from "../../src/index.js";
import { fixture } from "../fixture.js";

const text = (value: string): Block => ({ type: "text", text: value });
const thinking = (value: string): Block => ({ type: "thinking", text: value });
const call = (callId: string, args: unknown, name = "read"): Block => ({
  type: "toolCall",
  callId,
  name,
  arguments: args,
});
const a = { path: "a.txt" };
const b = { path: "b.txt" };

interface Answer {
  readonly name: string;
  readonly why: string;
  readonly content: readonly Block[];
  readonly reason?: string;
  readonly usage?: object;
}

const answers: readonly Answer[] = [
  { name: "text", why: "deltas join", content: [text("Hello.")] },
  {
    name: "cut-anywhere",
    why: "characters of two to four bytes",
    content: [text("é🙂日 ok")],
    usage: { inputTokens: 7, outputTokens: 3, source: "provider" },
  },
  { name: "no-final-newline", why: "the last line has no line end", content: [text("é🙂日 ok")] },
  { name: "crlf", why: "a proxy writes Windows line ends", content: [text("é🙂日 ok")] },
  { name: "blank-lines", why: "lines that keep the connection alive", content: [text("é🙂日 ok")] },
  { name: "bytes-after-done", why: "what follows the end does not count", content: [text("é🙂日 ok")] },
  { name: "thinking-then-text", why: "two blocks", content: [thinking("The user asks."), text("Yes.")] },
  {
    name: "thinking-between-text",
    why: "three blocks in their order",
    content: [text("A"), thinking("hm"), text("B")],
  },
  {
    name: "thinking-and-text-in-one-frame",
    why: "thinking comes first",
    content: [thinking("Hm."), text("Yes.")],
  },
  {
    name: "thinking-then-call",
    why: "as gpt-oss does",
    content: [thinking("I need the file."), call("call_1", a)],
    reason: "toolCalls",
  },
  {
    name: "call-in-own-frame",
    why: "the server says stop for calls too",
    content: [call("call_1", a)],
    reason: "toolCalls",
  },
  {
    name: "calls-in-several-frames",
    why: "one call a frame",
    content: [call("call_1", a), call("call_2", b)],
    reason: "toolCalls",
  },
  {
    name: "calls-in-one-frame",
    why: "two calls in a frame",
    content: [call("call_1", a), call("call_2", b)],
    reason: "toolCalls",
  },
  {
    name: "call-in-last-frame",
    why: "a call beside done: true counts",
    content: [call("call_1", a), call("call_2", b)],
    reason: "toolCalls",
  },
  {
    name: "calls-repeated-in-last-frame",
    why: "the same call twice is one",
    content: [call("call_1", a)],
    reason: "toolCalls",
  },
  {
    name: "calls-with-one-id",
    why: "two calls under one id are two",
    content: [call("call_1", a), call("ollama-1", b)],
    reason: "toolCalls",
  },
  {
    name: "calls-without-ids",
    why: "old servers give none; equal calls are two",
    content: [call("ollama-1", a), call("ollama-2", a)],
    reason: "toolCalls",
  },
  {
    name: "call-arguments-as-text",
    why: "a proxy sends them as JSON text",
    content: [call("call_1", a)],
    reason: "toolCalls",
  },
  {
    name: "call-arguments-broken",
    why: "raw text stays raw",
    content: [call("call_1", '{"path":')],
    reason: "toolCalls",
  },
  {
    name: "call-without-arguments",
    why: "none means an empty object",
    content: [call("call_1", {}, "list")],
    reason: "toolCalls",
  },
  {
    name: "call-as-plain-text",
    why: "text is never guessed to be a call",
    content: [text('{"name": "read", "arguments": {"path": "a.txt"}}')],
  },
  { name: "length", why: "the output limit", content: [text("This goes on")], reason: "length" },
  {
    name: "call-and-length",
    why: "a call may have been cut off behind this one",
    content: [call("call_1", a)],
    reason: "length",
  },
  { name: "no-reason", why: "servers before done_reason", content: [text("Old.")] },
  { name: "null-content", why: "null for what is not there", content: [text("Yes.")] },
  { name: "message-missing-at-end", why: "an end without a message", content: [text("Yes.")] },
  { name: "unknown-fields", why: "newer servers say more", content: [text("Yes.")] },
  {
    name: "cached-count",
    why: "newer servers say what came from the cache",
    content: [text("Yes.")],
    usage: { inputTokens: 1200, outputTokens: 5, cachedInputTokens: 1100, source: "provider" },
  },
  {
    name: "no-prompt-count",
    why: "old servers leave it out on a cache hit",
    content: [text("Yes.")],
    usage: expect.objectContaining({ source: "estimate" }),
  },
  {
    name: "separators-in-text",
    why: "only LF ends a line",
    content: [text("a\u2028b\u2029c\u0085d\u0000e")],
  },
];

interface Failure {
  readonly name: string;
  readonly why: string;
  readonly status?: number;
  readonly event: Partial<ErrorEvent>;
  readonly says: string | RegExp;
  readonly content?: readonly Block[];
}

const failures: readonly Failure[] = [
  {
    name: "error-after-200",
    why: "the frame is the only place where it can be told",
    event: { kind: "provider", retryable: true },
    says: "out of memory",
    content: [text("Half an ans")],
  },
  {
    name: "overflow-after-200",
    why: "both numbers from the message",
    event: { kind: "provider", retryable: false, contextOverflow: { window: 8192, needed: 9001 } },
    says: /9001.*8192/,
    content: [text("Half")],
  },
  {
    name: "no-done",
    why: "an answer that did not reach its end",
    event: { kind: "network", retryable: true },
    says: "without done: true",
    content: [text("Half an ans")],
  },
  { name: "nothing", why: "an empty body", event: { kind: "network" }, says: "without done: true" },
  { name: "load", why: "the model was only loaded", event: { kind: "provider" }, says: "answered nothing" },
  {
    name: "line-that-is-no-object",
    why: "not Ollama's wire",
    event: { kind: "malformed", retryable: false },
    says: "not an object",
    content: [text("Yes.")],
  },
  {
    name: "error-overflow",
    why: "the runner's own refusal, passed through",
    status: 400,
    event: { kind: "provider", status: 400, retryable: false, contextOverflow: { window: 256, needed: 351 } },
    says: /351.*256/,
  },
  {
    name: "error-overflow-without-numbers",
    why: "window and need from what is known",
    status: 400,
    event: {
      kind: "provider",
      retryable: false,
      contextOverflow: { window: 32768, needed: expect.any(Number) },
    },
    says: /needs about \d+ tokens.*32768/,
  },
  {
    name: "error-no-tools",
    why: "the model lacks the capability",
    status: 400,
    event: { kind: "provider", retryable: false },
    says: "capability tools",
  },
  {
    name: "error-no-thinking",
    why: "the model lacks the capability",
    status: 400,
    event: { kind: "provider", retryable: false },
    says: "Do not ask it to think",
  },
  {
    name: "error-unauthorized",
    why: "sign-in is needed",
    status: 401,
    event: { kind: "auth", status: 401, retryable: false },
    says: "ollama signin",
  },
  {
    name: "error-model-missing",
    why: "the model is not there",
    status: 404,
    event: { kind: "provider", status: 404, retryable: false },
    says: "ollama pull m",
  },
  {
    name: "error-queue-full",
    why: "too many requests wait",
    status: 503,
    event: { kind: "provider", status: 503, retryable: true },
    says: "server busy",
  },
  {
    name: "error-cloud-unreachable",
    why: "the server cannot reach the cloud",
    status: 502,
    event: { kind: "provider", status: 502, retryable: true },
    says: "unreachable",
  },
  {
    name: "error-tool-parse",
    why: "the server could not read its model's call",
    status: 500,
    event: { kind: "provider", status: 500, retryable: true },
    says: "could not read",
  },
  {
    name: "error-client-closed",
    why: "a proxy gave up",
    status: 499,
    event: { kind: "provider", status: 499, retryable: false },
    says: "client closed",
  },
];

let server: RunningServer;
let body: Buffer = Buffer.alloc(0);
let status = 200;
let delivery: Delivery = {};

beforeAll(async () => {
  server = await startFakeOllama({
    models: { m: {} },
    script: () => {
      if (status === 200) return { parts: [{ raw: body }, { cut: true }], delivery };
      const { error, ...fields } = JSON.parse(body.toString());
      return { status, error, fields };
    },
  });
});
afterAll(() => server.close());

/** Replays a recorded answer through the whole stack. */
async function replay(
  name: string,
  options: { readonly status?: number | undefined; readonly delivery?: Delivery } = {},
) {
  body = fixture(name);
  status = options.status ?? 200;
  delivery = options.delivery ?? {};
  const events: ResponseEvent[] = [];
  const io = new IO(connect(Ollama, { url: server.url, model: "m" }));
  const end = await io.write("hi", (event) => events.push(event));
  await io.close();
  return { end, events };
}

describe("a recorded answer", () => {
  it.each(answers)("$name: $why", async ({ name, content, reason = "stop", usage }) => {
    const { end } = await replay(name);
    expect(end).toMatchObject({ type: "done", doneReason: reason });
    expect(end.message?.content).toEqual(content);
    if (usage !== undefined) expect(end.usage).toEqual(usage);
  });

  it.each(failures)("$name: $why", async ({ name, status: code, event, says, content = [] }) => {
    const { end } = await replay(name, { status: code });
    expect(end).toMatchObject({ type: "error", ...event });
    expect(end.type === "error" && end.error).toMatch(says);
    expect(end.message?.content).toEqual(content);
  });

  it("gives the same events however its bytes are cut", async () => {
    const streamed = [...answers, ...failures.filter((failure) => failure.status === undefined)];
    const whole = new Map<string, unknown>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...streamed.map(({ name }) => name)),
        fc.integer({ min: 1, max: 40 }),
        async (name, chunkBytes) => {
          if (!whole.has(name)) whole.set(name, (await replay(name)).events);
          expect((await replay(name, { delivery: { chunkBytes } })).events).toEqual(whole.get(name));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("joins its deltas to the final text", async () => {
    const { end, events } = await replay("cut-anywhere", { delivery: { chunkBytes: 1 } });
    const joined = events.flatMap((event) => (event.type === "text_delta" ? [event.text] : [])).join("");
    expect(joined).toBe("é🙂日 ok");
    expect(end.message?.content).toEqual([text(joined)]);
  });

  it("is in the tables above, or in those of the catalogue", () => {
    const files = readdirSync(new URL("../fixtures", import.meta.url)).map((file) =>
      file.replace(/\.ndjson$/, ""),
    );
    const named = [...answers, ...failures].map(({ name }) => name);
    expect(files.filter((file) => !file.startsWith("show-")).sort()).toEqual(named.sort());
  });
});
