import { setTimeout as sleep } from "node:timers/promises";
import { type ContextItem, type Message, MessageType, type ToolResultMessage } from "@ashlar/context";
import type { ToolContext, ToolDescriptions, ToolFunction } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { ask, type OpenOptions, openAgent } from "./support/open-agent.js";
import { type Call, calls, scripted, text } from "./support/scripted-stream.js";

const anything = { type: "object" } as const;
const safe = (fn: ToolFunction, rest: object = {}): ToolDescriptions[string] => ({
  description: "A tool.",
  safe: true,
  inputSchema: anything,
  fn,
  ...rest,
});
const readSchema = {
  type: "object",
  properties: { path: { type: "string" }, offset: { type: "integer" }, limit: { type: "integer" } },
  required: ["path"],
};

/** Lets the model make these calls once, then say "ok". */
async function call(list: readonly Call[], tools: ToolDescriptions, options: OpenOptions = {}) {
  const { stream, requests } = scripted(calls(list), text("ok"));
  const opened = await openAgent({ stream, toolDescriptions: tools, ...options });
  const result = await ask(opened.agent);
  const results = resultsIn(opened.agent.context.items());
  return { ...opened, requests, result, results, texts: results.map(textOf) };
}
const resultsIn = (items: readonly ContextItem[]) =>
  items.filter((item): item is ToolResultMessage => item.type === MessageType.toolResult);
const textOf = ({ content }: Message) =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");

describe("a tool that is not there", () => {
  it.each([
    { why: "a name in another case", name: "Read", near: 'Did you mean "read"?' },
    { why: "a name of an object member", name: "constructor", near: "" },
    { why: "no name", name: "", near: "" },
    { why: "a secret one", name: "hidden", near: "" },
  ])("is answered with the list: $why", async ({ name, near }) => {
    const { texts, result } = await call([{ name }], {
      read: safe(() => "never"),
      hidden: safe(() => "never", { secret: true }),
    });
    expect(texts[0]).toContain(`There is no tool ${JSON.stringify(name || "unnamed")}.`);
    expect(texts[0]).toContain(near);
    expect(texts[0]).toContain("The tools are: read.");
    expect(result.kind).toBe("success");
  });

  it("is one that the agent was not given", async () => {
    const { texts } = await call(
      [{ name: "b" }],
      { a: safe(() => "a"), b: safe(() => "b") },
      { tools: ["a"] },
    );
    expect(texts[0]).toContain("The tools are: a.");
  });

  it("says so when there are none at all", async () => {
    const { texts } = await call([{ name: "a" }], { a: safe(() => "a") }, { tools: [] });
    expect(texts[0]).toContain("This agent has no tools.");
  });
});

describe("arguments that are almost right", () => {
  const tools = { read: safe((args: unknown) => JSON.stringify(args), { inputSchema: readSchema }) };

  it("are read as what the schema wants, and the model is told", async () => {
    const { texts } = await call([{ name: "read", args: { path: "a.txt", offset: "2", limit: "1" } }], tools);
    expect(texts[0]).toContain('{"path":"a.txt","offset":2,"limit":1}');
    expect(texts[0]).toMatch(/Note: .*offset.*limit/su);
  });

  it("may come as JSON text", async () => {
    const { texts } = await call([{ name: "read", args: '{"path":"a.txt"}' }], tools);
    expect(texts[0]).toContain('{"path":"a.txt"}');
  });

  it("may be missing when nothing is wanted", async () => {
    const { texts } = await call([{ name: "now", args: "" }], {
      now: safe((args: unknown) => JSON.stringify(args)),
    });
    expect(texts[0]).toBe("{}");
  });

  it.each([
    { why: "an array for a text", args: { path: ["a.txt"] }, named: "path" },
    { why: "a word for a number", args: { path: "a.txt", limit: "abc" }, named: "limit" },
    { why: "a missing field", args: {}, named: "path" },
  ])("are an error that names the field: $why", async ({ args, named }) => {
    const { results, texts, requests, result } = await call([{ name: "read", args }], tools);
    expect(results[0]?.error).toBe(true);
    expect(texts[0]).toContain(named);
    expect(requests).toHaveLength(2);
    expect(result.kind).toBe("success");
  });
});

describe("arguments that were cut", () => {
  const raw = '{"path":"notes.md","content":"# Plan\\n1. fi';
  const tools = { write: safe(() => "written", { inputSchema: anything }) };

  it.each(["length", "toolCalls", "stop"] as const)(
    "are never run, whatever the finish word: %s",
    async (reason) => {
      let ran = false;
      const { stream, requests } = scripted(calls([{ name: "write", args: raw }], reason));
      const { agent, events } = await openAgent({
        stream,
        toolDescriptions: {
          write: safe(() => {
            ran = true;
            return "written";
          }),
        },
      });
      const result = await ask(agent);
      expect(ran).toBe(false);
      expect(requests).toHaveLength(3);
      expect(result).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "cut" } });
      for (const each of resultsIn(agent.context.items())) {
        expect(each.error).toBe(true);
        expect(textOf(each)).toMatch(/cut.*smaller pieces/su);
      }
      expect(events.some(({ type }) => type === "tool_execute")).toBe(false);
    },
  );

  it("do not keep the other calls of their response from running", async () => {
    const { texts } = await call([{ name: "write", args: raw }, { name: "write" }], tools);
    expect(texts[0]).toContain("not whole JSON");
    expect(texts[1]).toBe("written");
  });

  it("stop every call of a response that the output limit ended", async () => {
    const { stream } = scripted(
      calls([{ name: "write" }, { name: "write", args: raw }], "length"),
      text("ok"),
    );
    const { agent } = await openAgent({ stream, toolDescriptions: tools });
    await ask(agent);
    expect(resultsIn(agent.context.items()).every(({ error }) => error === true)).toBe(true);
  });
});

describe("a tool that may not run", () => {
  const tools: ToolDescriptions = {
    write: { description: "Writes.", inputSchema: anything, fn: () => "written" },
    look: safe(() => "seen"),
    boxed: safe(() => "boxed", { sandbox: true }),
  };

  it("is refused for want of a sandbox, and the run ends with code 7", async () => {
    const { texts, result, events } = await call([{ name: "write" }, { name: "look" }], tools);
    expect(texts[0]).toContain("no sandbox yet");
    expect(texts[1]).toBe("seen");
    expect(result).toMatchObject({
      status: "completed",
      kind: "refused",
      exitCode: 7,
      refused: [{ tool: "write", reason: "no sandbox yet" }],
    });
    expect(events.find((event) => event.type === "tool_result")).toMatchObject({ refused: "no sandbox yet" });
    expect(events.filter(({ type }) => type === "tool_execute")).toHaveLength(1);
  });

  it("is refused when it wants a sandbox although it is safe", async () => {
    const { result } = await call([{ name: "boxed" }], tools);
    expect(result.kind).toBe("refused");
  });

  it("is refused when the agent may only read, whatever the sandbox", async () => {
    const { texts } = await call([{ name: "write" }], tools, { can: { write: false } });
    expect(texts[0]).toContain("this agent may only read");
  });

  it("is a safe one called with arguments that change something", async () => {
    const target = { readOnly: (args: { target?: string }) => args.target === undefined };
    const { texts } = await call(
      [
        { name: "copy", args: {} },
        { name: "copy", args: { target: "b" } },
      ],
      { copy: safe(() => "read", target) },
    );
    expect(texts[0]).toBe("read");
    expect(texts[1]).toContain("no sandbox yet");
  });
});

describe("calls of one response", () => {
  it("overlap, at most three at a time, and their results keep call order", async () => {
    let running = 0;
    let most = 0;
    const finished: number[] = [];
    const work = safe(async ({ n }: { n: number }) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(n === 0 ? 60 : 5);
      running -= 1;
      finished.push(n);
      return String(n);
    });
    const { texts, events } = await call(
      Array.from({ length: 7 }, (_, n) => ({ name: "work", args: { n } })),
      { work },
    );
    expect(most).toBe(3);
    expect(finished.at(-1)).toBe(0);
    expect(texts).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    const results = events.flatMap((event) => (event.type === "tool_result" ? [event.content[0]] : []));
    expect(results).toMatchObject(["0", "1", "2", "3", "4", "5", "6"].map((n) => ({ text: n })));
  });

  it("wait for one that is not safe, and it for them", async () => {
    const order: string[] = [];
    const tools: ToolDescriptions = {
      slow: safe(async ({ n }: { n: number }) => {
        order.push(`start ${n}`);
        await sleep(10);
        order.push(`end ${n}`);
        return "";
      }),
      write: { description: "Writes.", inputSchema: anything, fn: () => "" },
    };
    const slow = (n: number) => ({ name: "slow", args: { n } });
    await call([slow(1), slow(2), { name: "write" }, slow(3)], tools);
    expect(order.indexOf("start 3")).toBeGreaterThan(order.indexOf("end 1"));
    expect(order.indexOf("start 3")).toBeGreaterThan(order.indexOf("end 2"));
  });

  it("each have exactly one result, under an id of their own", async () => {
    const { results, agent } = await call(
      [{ name: "a", id: "x" }, { name: "a", id: "x" }, { name: "a" }, { name: "nope", id: "y" }],
      { a: safe(() => "a") },
    );
    expect(results.map(({ callId }) => callId)).toEqual(["x", "agent-1", "agent-2", "y"]);
    const asked = agent.context
      .messages()
      .find(({ content }) => content.some(({ type }) => type === "toolCall"));
    expect(asked?.content.map((block) => (block.type === "toolCall" ? block.callId : ""))).toEqual([
      "x",
      "agent-1",
      "agent-2",
      "y",
    ]);
  });

  it("do not share the fate of one that throws", async () => {
    const { texts, results, result } = await call([{ name: "bad" }, { name: "good" }], {
      bad: safe(() => {
        throw new Error("disk full");
      }),
      good: safe(() => "fine"),
    });
    expect(texts).toEqual(["disk full", "fine"]);
    expect(results.map(({ error }) => error)).toEqual([true, undefined]);
    expect(result.kind).toBe("success");
  });

  it("may return what no JSON can hold", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const odd = (value: unknown) => safe(() => value as never);
    const { texts } = await call(
      [{ name: "cyclic" }, { name: "bytes" }, { name: "nothing" }, { name: "huge" }],
      {
        cyclic: odd(cyclic),
        bytes: odd(new Uint8Array([1])),
        nothing: odd(undefined),
        huge: odd("z".repeat(3e6)),
      },
    );
    expect(texts.slice(0, 3)).toEqual(['{"self":"[circular]"}', "binary", "(no output)"]);
    expect(texts[3]).toContain("characters left out here");
  });
});

describe("the time of a call", () => {
  it("ends a tool that ignores its signal, and its late output goes nowhere", async () => {
    let late: (() => void) | undefined;
    const stubborn = safe(
      async (_args: unknown, { onData }: ToolContext) =>
        new Promise<string>((resolve) => {
          late = () => {
            onData("too late");
            resolve("too late");
          };
        }),
    );
    const { texts, results, events, result } = await call(
      [{ name: "stubborn" }],
      { stubborn },
      { toolCall: { timeout: 30 } },
    );
    late?.();
    await sleep(5);
    expect(texts[0]).toContain("stubborn did not finish within 30 ms");
    expect(results[0]?.error).toBe(true);
    expect(events.some(({ type }) => type === "tool_data")).toBe(false);
    expect(result.kind).toBe("success");
  });

  it("is asked for with an argument that the tool does not see", async () => {
    const inputSchema = { type: "object", properties: { timeout: { type: ["integer", "string"] } } };
    const show = safe(
      (args: unknown, { deadline }: ToolContext) =>
        `${JSON.stringify(args)} ${deadline - Date.now() > 1_150_000}`,
      { inputSchema },
    );
    const { texts } = await call(
      [
        { name: "show", args: { timeout: "5h" } },
        { name: "show", args: { timeout: "soon" } },
      ],
      { show },
    );
    expect(texts[0]).toBe("{} true");
    expect(texts[1]).toContain("timeout");
  });

  it("is the tool's own business when its schema does not declare it", async () => {
    const { texts } = await call([{ name: "plain", args: { timeout: 5 } }], {
      plain: safe((args: unknown) => JSON.stringify(args)),
    });
    expect(texts[0]).toBe('{"timeout":5}');
  });

  it("leaves the tool a last word", async () => {
    const { texts, results } = await call(
      [{ name: "slow" }],
      { slow: safe(() => new Promise<string>(() => {}), { onTimeout: () => "half of it" }) },
      { toolCall: { timeout: 10 } },
    );
    expect(texts[0]).toBe("half of it");
    expect(results[0]?.error).toBeUndefined();
  });

  it("stands still while a person answers", async () => {
    const asking = safe(
      async (_args: unknown, { question }: ToolContext) => JSON.stringify(await question?.ask([])),
      { interactive: true },
    );
    const question = { ask: () => sleep(80, [{ text: "blue" }]) };
    const { texts } = await call([{ name: "asking" }], { asking }, { toolCall: { timeout: 30 }, question });
    expect(texts[0]).toBe('[{"text":"blue"}]');
  });
});

it("tells a tool that asks a person that nobody is there", async () => {
  const { texts, result } = await call([{ name: "asking" }], {
    asking: safe(() => "?", { interactive: true }),
  });
  expect(texts[0]).toContain("nobody is there");
  expect(result.kind).toBe("success");
});

describe("what a tool has beside its result", () => {
  const tools = {
    note: safe(() => ({ result: "noted", system: ["first", "second"], display: "a picture" })),
  };

  it("joins the context after the batch and after queued user input", async () => {
    const { stream, requests } = scripted(calls([{ name: "note" }, { name: "note" }]), text("ok"));
    const { agent } = await openAgent({ stream, toolDescriptions: tools });
    agent.onEvent((agent.constructor as typeof import("@ashlar/agent").Agent).EVENT.TOOL_RESULT, () => {
      if (agent.pending === 0) agent.send("and another thing");
    });
    await ask(agent);
    const after = requests[1]?.context
      .slice(2)
      .map((item) => [item.type, "content" in item ? textOf(item as Message) : ""]);
    expect(after?.map(([type]) => type)).toEqual([4, 4, 2, 1]);
    expect(after?.at(-1)?.[1]).toMatch(/first.*second/su);
  });

  it("is shown without reaching the model", async () => {
    const { events, requests, results } = await call([{ name: "note" }], tools);
    const shown = [{ type: "text", text: "a picture" }];
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({ display: shown });
    expect(results[0]?.display).toEqual(shown);
    expect(textOf(resultsIn(requests[1]?.context ?? [])[0] as Message)).toBe("noted");
  });

  it("may be output while it runs", async () => {
    const chatty = safe((_args: unknown, { onData }: ToolContext) => {
      onData("half ");
      onData("way");
      return "done";
    });
    const { events } = await call([{ name: "chatty", id: "c1" }], { chatty });
    expect(
      events.filter(({ type }) => type.startsWith("tool_") && !type.startsWith("tool_call")),
    ).toMatchObject([
      { type: "tool_execute", callId: "c1", name: "chatty", arguments: {} },
      { type: "tool_data", callId: "c1", data: "half " },
      { type: "tool_data", callId: "c1", data: "way" },
      { type: "tool_result", callId: "c1", content: [{ text: "done" }] },
    ]);
  });
});

it("gives a tool what it needs to work, and nothing to write with", async () => {
  let seen: ToolContext | undefined;
  const { env } = await call([{ name: "look", id: "c1" }], {
    look: safe((_args: unknown, context: ToolContext) => {
      seen = context;
      return "";
    }),
  });
  expect(seen).toMatchObject({
    call: { callId: "c1", name: "look" },
    agent: { folder: env.cwd },
    safe: true,
    question: null,
    env: { cwd: env.cwd },
  });
});
