import type { ResponseEvent, TerminalEvent } from "@ashlar/context";
import { IO, IOError } from "@ashlar/io";
import { afterEach, describe, expect, it } from "vitest";
import { line } from "./line-provider.js";
import { hello, lineIO, messageText, run } from "./run-request.js";
import { type Answer, type ScriptedServer, startServer } from "./scripted-server.js";

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serving(script: (answer: Answer) => unknown): Promise<ScriptedServer> {
  server = await startServer(script);
  return server;
}

const answering = (...lines: readonly Parameters<typeof line>[0][]) =>
  serving((answer) => answer.end(lines.map(line).join("")));

describe("one request", () => {
  it("sends start first, then the blocks, then one terminal event with the whole message", async () => {
    const { url } = await answering(
      { text: "Hel" },
      { text: "lo" },
      { done: "stop", usage: { inputTokens: 7, outputTokens: 3 } },
    );
    const { events, terminal } = await run(lineIO(url));
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "done",
    ]);
    expect(events[0]).toEqual({ type: "start", version: 1, model: "e/m" });
    expect(events.at(-1)).toBe(terminal);
    expect(terminal).toMatchObject({
      type: "done",
      doneReason: "stop",
      message: { type: 3, content: [{ type: "text", text: "Hello" }] },
      usage: { inputTokens: 7, outputTokens: 3, source: "provider" },
    });
    expect(terminal.message).not.toHaveProperty("incomplete");
  });

  it("ignores what follows the terminal event", async () => {
    const { url } = await answering({ text: "a" }, { done: "stop" }, { text: "b" }, { error: "late" });
    const { events, text } = await run(lineIO(url));
    expect(text).toBe("a");
    expect(events.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
  });

  it("estimates the usage when the provider gives only one count", async () => {
    const { url } = await answering(
      { text: "some words of an answer" },
      { done: "stop", usage: { inputTokens: 7, outputTokens: Number.NaN } },
    );
    const { terminal } = await run(lineIO(url));
    expect(terminal.usage?.source).toBe("estimate");
    expect(terminal.usage?.outputTokens).toBeGreaterThan(0);
  });

  it("adds the cost where the price is known", async () => {
    const { url } = await answering(
      { text: "a" },
      { done: "stop", usage: { inputTokens: 1_000_000, outputTokens: 500_000 } },
    );
    const { terminal } = await run(lineIO(url, {}, { info: { price: { input: 2, output: 8 } } }));
    expect(terminal.usage?.cost).toBe(6);
  });

  it("keeps what the provider measured, and the window, as the context's usage", async () => {
    const { url } = await answering(
      { text: "a" },
      { done: "stop", usage: { inputTokens: 70, outputTokens: 3 } },
    );
    const io = lineIO(url, {}, { info: { contextWindow: 1000 } });
    expect(io.contextUsage).toEqual({ total: 1000 });
    await run(io);
    expect(io.contextUsage).toEqual({ used: 73, total: 1000 });
  });

  it.each([
    { why: "nothing at all", lines: [{ done: "stop" }] },
    { why: "blanks only", lines: [{ text: " \n" }, { done: "stop" }] },
    {
      why: "thinking only",
      lines: [
        {
          events: [
            { type: "thinking_start", contentIndex: 0 },
            { type: "thinking_delta", contentIndex: 0, text: "hm" },
            { type: "thinking_end", contentIndex: 0 },
            { type: "done" },
          ],
        },
      ],
    },
    {
      why: "a call without a name",
      lines: [
        {
          events: [
            { type: "tool_call_start", contentIndex: 0, callId: "", name: "" },
            { type: "tool_call_end", contentIndex: 0 },
            { type: "done" },
          ],
        },
      ],
    },
  ] as const)("calls an answer of $why a provider error that may be tried again", async ({ lines }) => {
    const { url } = await answering(...lines);
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ type: "error", kind: "provider", retryable: true });
  });

  it("does not ask again for an answer that the model refused", async () => {
    const { url } = await answering({ done: "refusal" });
    expect((await run(lineIO(url))).terminal).toMatchObject({ type: "error", retryable: false });
  });

  it("takes a call as an answer, and the result of a call that the provider ran", async () => {
    const { url } = await answering({
      events: [
        { type: "tool_call_start", contentIndex: 0, callId: "c", name: "search", executed: true },
        { type: "tool_call_end", contentIndex: 0, arguments: { q: "x" } },
        { type: "tool_call_result", contentIndex: 0, content: [{ type: "text", text: "found" }] },
        { type: "done", doneReason: "toolCalls" },
      ],
    });
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({
      type: "done",
      message: { content: [{ type: "toolCall", name: "search", arguments: { q: "x" }, executed: true }] },
      results: [{ type: 4, callId: "c", content: [{ type: "text", text: "found" }] }],
    });
  });

  it("keeps what arrived before an error, marked incomplete", async () => {
    const { url } = await answering({ text: "Half an ans" }, { error: "runner stopped: out of memory" });
    const { terminal, events } = await run(lineIO(url));
    expect(terminal).toMatchObject({
      type: "error",
      kind: "provider",
      error: "runner stopped: out of memory",
      retryable: true,
      message: { incomplete: true, error: "runner stopped: out of memory" },
      usage: { source: "estimate" },
    });
    expect(messageText(terminal)).toBe("Half an ans");
    expect(events.at(-1)).toBe(terminal);
  });

  it.each([
    { why: "an event type nobody knows", events: [{ type: "nope" }] },
    { why: "a bad index", events: [{ type: "text_start", contentIndex: -1 }] },
    { why: "a delta without its start", events: [{ type: "text_delta", contentIndex: 0, text: "a" }] },
    { why: "no list of events", events: { type: "done" } },
  ])("ends as malformed when the connector sends $why", async ({ events }) => {
    const { url } = await serving((answer) => answer.end(`${JSON.stringify({ events })}\n`));
    expect((await run(lineIO(url))).terminal).toMatchObject({
      type: "error",
      kind: "malformed",
      retryable: false,
    });
  });

  it("ends as malformed for a complete line that is not JSON, with its beginning", async () => {
    const { url } = await serving((answer) => answer.end(`${line({ text: "a" })}{"text": oops\n`));
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ kind: "malformed", error: expect.stringContaining("oops") });
    expect(messageText(terminal)).toBe("a");
  });

  it("calls a stream that ends without its terminal event a network failure", async () => {
    const { url } = await answering({ text: "a" });
    expect((await run(lineIO(url))).terminal).toMatchObject({ kind: "network", retryable: true });
  });

  it("calls a socket that was reset in the middle a network failure, and keeps the text", async () => {
    const { url } = await serving(async (answer) => {
      await answer.write(line({ text: "a" }));
      await answer.pause();
      answer.reset();
    });
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ kind: "network", retryable: true, message: { incomplete: true } });
    expect(messageText(terminal)).toBe("a");
  });

  it("reads a text as a program's input, and refuses a broken one before any request", async () => {
    const { url, requests } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url);
    expect((await io.write("hi", () => undefined)).type).toBe("done");
    expect(JSON.parse(requests[0]?.body ?? "").context[0].content).toEqual([{ type: "text", text: "hi" }]);
    expect(await io.write('[{"type":9}]', () => undefined)).toMatchObject({
      type: "error",
      kind: "malformed",
    });
    expect(requests).toHaveLength(1);
  });

  it("sends records nowhere and replaces half characters", async () => {
    const { url, requests } = await answering({ text: "a" }, { done: "stop" });
    const items = [...hello, { type: "note", text: "private" }];
    await lineIO(url, {}, { settings: { odd: "a\uD800b" } }).write(items, () => undefined);
    const body = requests[0]?.body ?? "";
    expect(body).not.toContain("private");
    expect(JSON.parse(body).settings.odd).toBe("a\uFFFDb");
  });

  it("hands the native thinking mode and the merged settings to the provider", async () => {
    const { url, requests } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url, {}, { settings: { temperature: 1, topP: 1 } });
    await run(io, { thinking: "medium", settings: { temperature: 0 } });
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      thinking: "low",
      settings: { temperature: 0, topP: 1 },
    });
  });

  it("warns when thinking was asked for and the model has no control of it", async () => {
    const { url } = await answering({ text: "a" }, { done: "stop" });
    const { terminal } = await run(lineIO(url, {}, { info: { thinking: [] } }), { thinking: "high" });
    expect(terminal.warnings).toEqual([expect.stringContaining('"high"')]);
  });

  it("uses one connection for requests after one another", async () => {
    const { url, requests } = await serving(async (answer) => {
      await answer.write(line({ text: "a" }) + line({ done: "stop" }));
      await answer.pause(5);
      answer.end();
    });
    const io = lineIO(url);
    for (let round = 0; round < 5; round++) {
      expect((await run(io)).terminal.type).toBe("done");
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(requests.map(({ connections }) => connections)).toEqual([1, 1, 1, 1, 1]);
  });

  it("closes the socket of a server that does not end after its terminal event", async () => {
    let closed: Promise<void> | undefined;
    const { url } = await serving(async (answer) => {
      closed = answer.closed;
      await answer.write(line({ text: "a" }) + line({ done: "stop" }));
    });
    expect((await run(lineIO(url))).terminal.type).toBe("done");
    await closed;
  });
});

describe("the state of an IO", () => {
  it("goes from idle over sending and reading back to idle, before the terminal event", async () => {
    const { url } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url);
    const states: string[] = [io.state];
    await io.write(hello, ({ type }) => states.push(`${type} ${io.state}`));
    expect(states).toEqual([
      "idle",
      "start sending",
      "text_start reading",
      "text_delta reading",
      "text_end reading",
      "done idle",
    ]);
  });

  it("refuses a second request while one runs, and takes it afterwards", async () => {
    const { url } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url);
    const first = run(io);
    await expect(run(io)).rejects.toMatchObject({ kind: "usage" });
    expect((await first).terminal.type).toBe("done");
    expect((await run(io)).terminal.type).toBe("done");
  });

  it("is closed for ever: a running request is cancelled, a further one refused", async () => {
    const { url } = await serving(() => undefined);
    const io = lineIO(url);
    const running = run(io);
    await io.close();
    expect((await running).terminal).toMatchObject({ kind: "cancelled", cancelled: true });
    expect(io.state).toBe("closed");
    await expect(run(io)).rejects.toMatchObject({ kind: "usage" });
    await io.close();
  });

  it("can be closed from the sink, at the first event", async () => {
    const { url, requests } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url);
    let closing: Promise<void> | undefined;
    const terminal = await io.write(hello, ({ type }) => {
      if (type === "start") closing = io.close();
    });
    await closing;
    expect(terminal).toMatchObject({ kind: "cancelled" });
    expect(requests).toEqual([]);
  });

  it("takes the next request from the sink that got the terminal event", async () => {
    const { url } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url);
    let next: Promise<TerminalEvent> | undefined;
    await io.write(hello, ({ type }) => {
      if (type === "done") next = io.write(hello, () => undefined);
    });
    expect(io.state).not.toBe("idle");
    expect(await next).toMatchObject({ type: "done" });
    expect(io.state).toBe("idle");
  });

  it("refuses a bad limit before any request", async () => {
    const { url, requests } = await answering({ text: "a" });
    const bad = run(lineIO(url), { timeouts: { idleMs: -1 } });
    await expect(bad).rejects.toBeInstanceOf(IOError);
    await expect(bad).rejects.toMatchObject({ kind: "usage", details: { argument: "timeouts.idleMs" } });
    expect(requests).toEqual([]);
  });

  it("is free again after a sink that throws, whose error comes back and whose request is cancelled", async () => {
    let closed: Promise<void> | undefined;
    const { url } = await serving(async (answer) => {
      closed = answer.closed;
      await answer.write(line({ text: "a" }) + line({ text: "b" }));
    });
    const io = lineIO(url);
    const seen: string[] = [];
    const failing = io.write(hello, (event: ResponseEvent) => {
      seen.push(event.type);
      if (event.type === "text_delta") throw new RangeError("the sink is full");
    });
    await expect(failing).rejects.toThrow(new RangeError("the sink is full"));
    expect(seen).toEqual(["start", "text_start", "text_delta"]);
    expect(io.state).toBe("idle");
    await closed;
  });

  it("takes callbacks by the event's name", async () => {
    const { url } = await answering({ text: "a" }, { done: "stop" });
    const io = lineIO(url);
    const deltas: string[] = [];
    const rest: string[] = [];
    await io.write(hello, {
      onTextDelta: ({ text }) => deltas.push(text),
      onData: ({ type }) => rest.push(type),
    });
    expect(deltas).toEqual(["a"]);
    expect(rest).toEqual(["start", "text_start", "text_end", "done"]);
  });

  it("cannot be made for what is no provider", () => {
    expect(() => new IO({ ...connection(), Provider: class {} as never })).toThrow(
      expect.objectContaining({ kind: "contract" }),
    );
  });
});

function connection() {
  return {
    endpoint: "e",
    model: "m",
    url: "http://127.0.0.1:1",
    settings: {},
    info: {},
    transport: {
      request: () => Promise.reject(),
      fetch: () => Promise.reject(),
      close: async () => undefined,
    },
    auth: () => undefined,
  };
}
