import {
  type Message,
  messageAssistant,
  messageToolResult,
  messageUser,
  type ResponseEvent,
} from "@ashlar/context";
import { accept } from "@ashlar/context/provider";
import { connect, IO, type RequestOptions } from "@ashlar/io";
import { afterEach, describe, expect, it } from "vitest";
import { Test } from "../src/index.js";

const read = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};
const tools = [read];

let io: IO | undefined;
afterEach(async () => io?.close());

function open(model: string, script?: unknown): IO {
  io = new IO(connect(Test, { model, ...(script !== undefined && { settings: { script } }) }));
  return io;
}

async function ask(context: readonly Message[], options: RequestOptions = {}) {
  const events: ResponseEvent[] = [];
  const end = await io?.write(context, (event) => events.push(event), options);
  if (end === undefined) throw new Error("open a model first");
  return { end, events };
}

describe("the scripted model", () => {
  it("is a provider by the contract, hidden unless asked for", () => {
    expect(accept(Test, "test")).toBe(Test);
    expect(Test.provider.secret).toBe(true);
    expect(Test.detectEnvironment?.({})).toEqual({ test: { url: "test://script" } });
  });

  it("lists its scripts, those of the settings too", async () => {
    const query = {
      url: "test://script",
      auth: undefined,
      signal: AbortSignal.timeout(1000),
      fetch: () => Promise.reject(new Error("no network")),
    };
    expect(Object.keys((await Test.models?.({ ...query, settings: {} })) ?? {})).toEqual(["echo", "read"]);
    const settings = { script: [], models: { night: {} } };
    expect(Object.keys((await Test.models?.({ ...query, settings })) ?? {})).toEqual([
      "echo",
      "read",
      "script",
      "night",
    ]);
    expect(await Test.testConnection?.({ ...query, settings: {} })).toEqual({ models: 2 });
  });
});

describe("echo", () => {
  it("answers the last user text, in several deltas, with an estimate of its cost", async () => {
    open("echo");
    const { end, events } = await ask([
      messageUser("one"),
      messageAssistant("two"),
      messageUser("three four five six"),
    ]);
    expect(end).toMatchObject({
      type: "done",
      doneReason: "stop",
      message: { content: [{ type: "text", text: "three four five six" }] },
    });
    expect(events.filter(({ type }) => type === "text_delta").length).toBeGreaterThan(1);
    expect(end.usage).toMatchObject({
      source: "estimate",
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
    });
  });

  it("has an answer even when there is nothing to repeat", async () => {
    open("echo");
    expect((await ask([messageAssistant("two")])).end.message?.content).toEqual([
      { type: "text", text: "(nothing to echo)" },
    ]);
  });
});

describe("read", () => {
  const called = (context: readonly Message[]) =>
    ask(context, { tools }).then(({ end }) => end.message?.content.at(-1));

  it.each([
    { prompt: "What does src/a.ts say?", path: "src/a.ts" },
    { prompt: "Read `docs/guide.md`, please.", path: "docs/guide.md" },
    { prompt: "Look at ./notes.txt.", path: "./notes.txt" },
    { prompt: 'Open "../x/y.json"!', path: "../x/y.json" },
    { prompt: "(see .env.local)", path: ".env.local" },
    { prompt: "What is this project called? Use the read tool.", path: "README.md" },
    { prompt: "Is 3.5 more than e.g. 2.0?", path: "README.md" },
  ])("calls read with $path for $prompt", async ({ prompt, path }) => {
    open("read");
    expect(await called([messageUser(prompt)])).toMatchObject({
      type: "toolCall",
      name: "read",
      arguments: { path },
    });
  });

  const call = (callId: string, path: string) =>
    messageAssistant([{ type: "toolCall", callId, name: "read", arguments: { path } }]);
  const result = (callId: string, text: string, error = false) =>
    messageToolResult({ callId, name: "read", content: [{ type: "text", text }], ...(error && { error }) });

  it("names the file and quotes its first line of words", async () => {
    open("read");
    const context = [
      messageUser("Read package.json"),
      call("a", "package.json"),
      result("a", '{\n  "name": "ashlar",\n'),
    ];
    expect(await called(context)).toEqual({
      type: "text",
      text: 'The first line of package.json is: "name": "ashlar",',
    });
  });

  it("quotes without the line numbers of the tool", async () => {
    open("read");
    const context = [messageUser("Read a.md"), call("a", "a.md"), result("a", "1\t---\n2\t# Title 7\n")];
    expect(await called(context)).toEqual({ type: "text", text: "The first line of a.md is: # Title 7" });
  });

  it("tries README.md and package.json when a file is not there, then says what went wrong", async () => {
    open("read");
    const first = [
      messageUser("Read gone.md"),
      call("a", "gone.md"),
      result("a", "gone.md does not exist", true),
    ];
    expect(await called(first)).toMatchObject({ arguments: { path: "README.md" } });
    const second = [...first, call("b", "README.md"), result("b", "no", true)];
    expect(await called(second)).toMatchObject({ arguments: { path: "package.json" } });
    const third = [...second, call("c", "package.json"), result("c", "nothing here", true)];
    expect(await called(third)).toEqual({ type: "text", text: "I could not read a file: nothing here" });
  });

  it("starts again with the next user message", async () => {
    open("read");
    const context = [
      messageUser("Read a.md"),
      call("a", "a.md"),
      result("a", "A"),
      messageAssistant("A it is."),
      messageUser("And b.md?"),
    ];
    expect(await called(context)).toMatchObject({ arguments: { path: "b.md" } });
  });

  it("says that it cannot without the tool", async () => {
    open("read");
    expect((await ask([messageUser("Read a.md")])).end.message?.content).toEqual([
      { type: "text", text: "I was given no `read` tool, so I cannot read a file." },
    ]);
  });
});

describe("an authored script", () => {
  it("plays a turn a request, and the last one again", async () => {
    open("mine", [{ text: "first" }, { text: "second" }]);
    const said: unknown[] = [];
    for (let round = 0; round < 3; round += 1)
      said.push((await ask([messageUser("go")])).end.message?.content);
    expect(said).toEqual([
      [{ type: "text", text: "first" }],
      [{ type: "text", text: "second" }],
      [{ type: "text", text: "second" }],
    ]);
  });

  it("plays thinking, text and calls in order", async () => {
    open("mine", [
      [
        { thinking: "Hm, let me see." },
        { text: "I read." },
        { toolCall: { name: "read", arguments: { path: "a" }, callId: "c1" } },
      ],
    ]);
    const { end } = await ask([messageUser("go")]);
    expect(end).toMatchObject({ type: "done", doneReason: "toolCalls" });
    expect(end.message?.content).toEqual([
      { type: "thinking", text: "Hm, let me see." },
      { type: "text", text: "I read." },
      { type: "toolCall", callId: "c1", name: "read", arguments: { path: "a" } },
    ]);
  });

  it("streams arguments that are no JSON as they are written", async () => {
    open("mine", [{ toolCall: { name: "write", arguments: '{"path":"a","content":"cut he' } }]);
    expect((await ask([messageUser("go")])).end.message?.content).toMatchObject([
      { arguments: '{"path":"a","content":"cut he' },
    ]);
  });

  it("fails as it says, keeps what was said before, and goes on with the next turn", async () => {
    open("mine", [
      [{ text: "Half" }, { error: { message: "busy", status: 503, retryAfterMs: 5 } }],
      { text: "fine" },
    ]);
    expect((await ask([messageUser("go")])).end).toMatchObject({
      type: "error",
      error: "busy",
      kind: "provider",
      status: 503,
      retryAfterMs: 5,
      message: { content: [{ type: "text", text: "Half" }], incomplete: true },
    });
    expect((await ask([messageUser("go")])).end.type).toBe("done");
  });

  it("can be cancelled in the middle of a delay", async () => {
    open("mine", [[{ text: "Wait" }, { delay: 60_000 }, { text: "never" }]]);
    const abort = new AbortController();
    const ending = ask([messageUser("go")], { signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    expect((await ending).end).toMatchObject({
      type: "error",
      kind: "cancelled",
      message: { content: [{ type: "text", text: "Wait" }] },
    });
  });

  it.each([
    { why: "there is none", script: undefined, says: /"mine" has no script.*echo or read/ },
    { why: "it is broken", script: [{ txt: "a" }], says: /settings\.script\[0\]\.txt: wanted one of/ },
  ])("is an error by name when $why", async ({ script, says }) => {
    open("mine", script);
    expect((await ask([messageUser("go")])).end).toMatchObject({
      type: "error",
      kind: "malformed",
      retryable: false,
      error: expect.stringMatching(says),
    });
  });
});
