import { type Message, MessageType } from "@ashlar/context";
import { afterEach, describe, expect, it } from "vitest";
import { connect, IO, OpenAI, OpenAIChat } from "../../src/index.js";
import { type ReplayServer, type Reply, startReplay } from "../../src/testing/replay-server.js";
import { complaints } from "./strict-server.js";

const WIRES = [
  {
    name: "Chat Completions",
    Provider: OpenAIChat,
    call: "chat/completions",
    body: chat({ content: "hi" }, "stop"),
  },
  {
    name: "Responses",
    Provider: OpenAI,
    call: "responses",
    body: sse(
      { type: "response.output_text.delta", delta: "hi" },
      { type: "response.completed", response: {} },
    ),
  },
] as const;

const servers: ReplayServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe.each(WIRES)("a base URL on $name", ({ Provider, call, body }) => {
  it.each([
    { url: "/v1", prefix: "/v1", query: "" },
    { url: "/v1/", prefix: "/v1", query: "" },
    { url: "/openai/v1//", prefix: "/openai/v1", query: "" },
    { url: "/v1?api-version=7", prefix: "/v1", query: "?api-version=7" },
    { url: "", prefix: "/v1", query: "" },
    { url: `/v1/${call}`, prefix: "/v1", query: "" },
  ])("spelt $url reaches the one path that answers", async ({ url, prefix, query }) => {
    const server = await serve(`${prefix}/${call}`, [ok(body)]);
    const terminal = await write(Provider, ` ${server.url}${url} `);
    expect(terminal).toMatchObject({ type: "done", message: { content: [{ type: "text", text: "hi" }] } });
    expect(server.requests.map(({ target }) => target)).toEqual([`${prefix}/${call}${query}`]);
  });

  it.each(["ftp://127.0.0.1/v1", "http://me:secret@127.0.0.1/v1"])(
    "that cannot work is an error before any request: %s",
    async (url) => {
      const terminal = await write(Provider, url);
      expect(terminal).toMatchObject({ type: "error", kind: "malformed", retryable: false });
      expect(terminal).toMatchObject({ error: expect.stringContaining("providers.lab.url") });
      expect(terminal).toMatchObject({ error: expect.stringContaining("http://127.0.0.1:1234/v1") });
      expect(JSON.stringify(terminal)).not.toContain("me:secret");
    },
  );
});

describe("an error frame after status 200", () => {
  it("fails the turn with the server's words, and the next turn on the same conversation works", async () => {
    const broken = sse(
      { choices: [{ index: 0, delta: { content: "Half an ans" } }] },
      { error: { message: "upstream overloaded", code: 529 } },
      "[DONE]",
    );
    const server = await serve("/v1/chat/completions", [ok(broken), ok(chat({ content: "whole" }, "stop"))]);
    const io = new IO(connect(OpenAIChat, { url: `${server.url}/v1`, model: "m1" }));
    const question: Message = { type: MessageType.user, content: [{ type: "text", text: "say it" }] };
    const failed = await io.write([question], () => undefined);
    expect(failed).toMatchObject({ type: "error", kind: "provider", status: 529, retryable: true });
    expect(failed).toMatchObject({ error: expect.stringContaining("upstream overloaded") });
    expect(failed.message).toMatchObject({ incomplete: true, content: [{ text: "Half an ans" }] });
    const context = [question, ...(failed.message === undefined ? [] : [failed.message]), question];
    expect(await io.write(context, () => undefined)).toMatchObject({ type: "done" });
    for (const request of server.requests) expect(complaints(JSON.parse(request.body))).toEqual([]);
  });
});

describe("three calls with one index, finish word stop", () => {
  it("are two calls, and both results go back in that order with those ids", async () => {
    const fragment = (id: string | undefined, call: object) => ({
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, ...(id !== undefined && { id }), function: call }] } },
      ],
    });
    const calls = sse(
      fragment("c_a", { name: "read", arguments: "" }),
      fragment(undefined, { arguments: '{"path":"a.txt"}' }),
      fragment("c_b", { name: "read", arguments: '{"path":' }),
      fragment(undefined, { arguments: '"b.txt"}' }),
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      "[DONE]",
    );
    const server = await serve("/v1/chat/completions", [ok(calls), ok(chat({ content: "done" }, "stop"))]);
    const io = new IO(connect(OpenAIChat, { url: `${server.url}/v1`, model: "m1" }));
    const question: Message = { type: MessageType.user, content: [{ type: "text", text: "read both" }] };
    const { message } = await io.write([question], () => undefined);
    const results = ["c_a", "c_b"].map(
      (callId): Message => ({
        type: MessageType.toolResult,
        callId,
        content: [{ type: "text", text: `for ${callId}` }],
      }),
    );
    await io.write([question, ...(message === undefined ? [] : [message]), ...results], () => undefined);
    const body: unknown = JSON.parse(server.requests[1]?.body ?? "null");
    expect(complaints(body)).toEqual([]);
    expect(body).toMatchObject({
      messages: [
        { role: "user" },
        {
          tool_calls: [
            { id: "c_a", function: { arguments: '{"path":"a.txt"}' } },
            { id: "c_b", function: { arguments: '{"path":"b.txt"}' } },
          ],
        },
        { role: "tool", tool_call_id: "c_a", content: "for c_a" },
        { role: "tool", tool_call_id: "c_b", content: "for c_b" },
      ],
    });
  });
});

async function serve(path: string, replies: readonly Reply[]): Promise<ReplayServer> {
  const server = await startReplay({ path, replies, routes: {} });
  servers.push(server);
  return server;
}

function write(Provider: (typeof WIRES)[number]["Provider"], url: string) {
  return new IO(connect(Provider, { url, model: "m1", endpoint: "lab" })).write("hello", () => undefined);
}

function ok(body: string): Reply {
  return {
    writes: [new TextEncoder().encode(body)],
    headers: { "content-type": "text/event-stream" },
    ending: "end",
  };
}

function chat(delta: object, word: string): string {
  return sse(
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: word }] },
    "[DONE]",
  );
}

function sse(...frames: readonly unknown[]): string {
  return frames
    .map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`)
    .join("");
}
