import { Context, createMemoryStore, MessageType } from "@ashlar/context";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { ask, manualRuntime, openAgent } from "./support/open-agent.js";
import { calls, failure, nothing, scripted, type Turn, text } from "./support/scripted-stream.js";

const tool = (fn: (args: never) => unknown): ToolDescriptions[string] => ({
  description: "A tool.",
  safe: true,
  inputSchema: { type: "object" },
  fn: (args) => fn(args) as string,
});
const again = (name: string, args: unknown = {}): Turn => calls([{ name, args }]);

describe("a request that fails", () => {
  it("is sent again after growing waits, and nothing of the failures is stored", async () => {
    const { runtime, waits } = manualRuntime();
    const { stream } = scripted(
      failure({}, "Half an ans"),
      failure({ kind: "provider", status: 503 }),
      text("whole"),
    );
    const { agent, events } = await openAgent({ stream, runtime });
    const result = await ask(agent);
    expect(result).toMatchObject({ kind: "success", requests: 3 });
    expect(waits).toEqual([2_000, 4_000]);
    expect(agent.context.messages().map(({ type }) => type)).toEqual([
      MessageType.user,
      MessageType.assistant,
    ]);
    expect(
      events.map(({ type }) => type).filter((type) => type !== "text_delta" && !type.startsWith("text_")),
    ).toEqual([...["start", "error", "retry", "start", "error", "retry"], ...["start", "done", "result"]]);
  });

  it("ends the run with its kind and status; what arrived stays, marked as incomplete", async () => {
    const { stream } = scripted(
      failure({ kind: "provider", status: 400, error: "bad request" }, "Half an ans"),
    );
    const { agent } = await openAgent({ stream });
    const result = await ask(agent);
    expect(result).toMatchObject({
      status: "failed",
      kind: "provider",
      exitCode: 4,
      httpStatus: 400,
      requests: 1,
    });
    expect(result.error).toContain("bad request");
    expect(agent.context.at(-1)).toMatchObject({
      type: 3,
      content: [{ text: "Half an ans" }],
      error: "bad request",
      incomplete: true,
    });
  });

  it("does not stand in the way of the next try", async () => {
    const { stream, requests } = scripted(failure({ kind: "provider", status: 400 }), text("better"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([MessageType.user]);
  });

  it("stays in the conversation when the user replied to it", async () => {
    const { stream, requests } = scripted(failure({ kind: "provider", status: 400 }, "Half"), text("better"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    await ask(agent, "try again");
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([
      MessageType.user,
      MessageType.assistant,
      MessageType.user,
    ]);
  });

  it("throttles the agent when the provider wants a longer pause than the policy has", async () => {
    const { runtime, waits } = manualRuntime();
    const { stream } = scripted(failure({ kind: "provider", status: 429, retryAfterMs: 600_000 }));
    const { agent, events } = await openAgent({ stream, runtime });
    const result = await ask(agent);
    expect(waits).toEqual([]);
    expect(result).toMatchObject({ kind: "provider", exitCode: 4, throttledUntil: 1_700_000_600_000 });
    expect(agent.throttledUntil).toBe(1_700_000_600_000);
    expect(events.slice(-2)).toMatchObject([{ type: "throttled", waitMs: 600_000 }, { type: "result" }]);
    expect(result.error).toContain(new Date(1_700_000_600_000).toISOString());
  });

  it("is one that threw, ended without a word, or sent events after its end", async () => {
    const thrown = await openAgent({
      stream: () => {
        throw new Error("no such host");
      },
    });
    expect(await ask(thrown.agent)).toMatchObject({ kind: "provider", error: "no such host", requests: 1 });
    const { runtime } = manualRuntime();
    const silent = await openAgent({ runtime, stream: async () => undefined as never });
    expect(await ask(silent.agent)).toMatchObject({ kind: "network", requests: 3 });
    const chatty = await openAgent({
      stream: async (_context, sink) => {
        sink({ type: "text_delta", contentIndex: 0, text: "hi" });
        setTimeout(() => sink({ type: "text_delta", contentIndex: 0, text: "late" }), 1);
        return { type: "done" };
      },
    });
    expect(await ask(chatty.agent)).toMatchObject({
      kind: "success",
      message: { content: [{ text: "hi" }] },
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(chatty.events.filter(({ type }) => type === "text_delta")).toHaveLength(1);
  });
});

describe("an answer that holds nothing", () => {
  it("is asked for once more", async () => {
    const { stream } = scripted(nothing(), text("here"));
    const { agent, events } = await openAgent({ stream });
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 2 });
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ reason: "empty", delayMs: 0 });
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
  });

  it("is an error the second time", async () => {
    const { agent } = await openAgent({ stream: scripted(nothing()).stream });
    expect(await ask(agent)).toMatchObject({ kind: "provider", exitCode: 4, requests: 2 });
  });
});

describe("a loop", () => {
  it("of one call is stopped, however its arguments are spelled", async () => {
    const spelled = ['{"path":"a.txt"}', '{ "path" : "a.txt" }'];
    const { stream, requests } = scripted(({ index }) =>
      calls([{ name: "read", args: spelled[index % 2], id: `c${index}` }]),
    );
    const { agent, events } = await openAgent({ stream, toolDescriptions: { read: tool(() => "same") } });
    const result = await ask(agent);
    expect(result).toMatchObject({
      kind: "budget",
      exitCode: 6,
      stop: { rule: "repeat", used: 8, limit: 8 },
    });
    expect(result.error).toContain("loop");
    expect(requests.length).toBeLessThanOrEqual(50);
    expect(events.filter(({ type }) => type === "budget")).toMatchObject([
      { action: "hint" },
      { action: "stop" },
    ]);
    expect(requests[4]?.context.at(-1)).toMatchObject({ type: MessageType.system });
  });

  it("of two calls that alternate is stopped", async () => {
    const { stream, requests } = scripted(({ index }) => calls([{ name: index % 2 === 0 ? "a" : "b" }]));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { a: tool(() => "A"), b: tool(() => "B") },
    });
    expect(await ask(agent)).toMatchObject({ kind: "budget", stop: { rule: "repeat" } });
    expect(requests.length).toBeLessThanOrEqual(50);
  });

  it("leaves a valid conversation, which goes on with the next message", async () => {
    const { stream } = scripted(({ index }) => (index < 8 ? calls([{ name: "a" }]) : text("done")));
    const { agent } = await openAgent({ stream, toolDescriptions: { a: tool(() => "A") } });
    await ask(agent);
    expect(await ask(agent, "stop that")).toMatchObject({ kind: "success" });
  });

  it("is not what it looks like when results differ", async () => {
    let n = 0;
    const { stream } = scripted(({ index }) => (index < 30 ? calls([{ name: "poll" }]) : text("ready")));
    const { agent, events } = await openAgent({
      stream,
      toolDescriptions: {
        poll: tool(() => {
          n += 1;
          return `tick ${n}`;
        }),
      },
    });
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    expect(events.some(({ type }) => type === "budget")).toBe(false);
  });

  it("may be allowed, and the limit may be another", async () => {
    const { stream } = scripted(again("a"));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { a: tool(() => "A") },
      budget: { requests: 20, repeats: false },
    });
    expect(await ask(agent)).toMatchObject({ stop: { rule: "requests", used: 20 } });
    agent.send("once more");
    expect(await agent.run({ budget: { repeats: 3 } })).toMatchObject({ stop: { rule: "repeat", used: 3 } });
  });

  it("within one response runs to its end; the next request does not come", async () => {
    let ran = 0;
    const { stream, requests } = scripted(calls(Array.from({ length: 20 }, () => ({ name: "a" }))));
    const count = tool(() => {
      ran += 1;
      return "A";
    });
    const { agent } = await openAgent({ stream, toolDescriptions: { a: count } });
    expect(await ask(agent)).toMatchObject({ stop: { rule: "repeat" } });
    expect([ran, requests.length]).toEqual([20, 1]);
  });
});

describe("the budget", () => {
  const toolDescriptions = { a: tool(({ n }: { n: number }) => String(n)) };
  const endless = () => scripted(({ index }) => calls([{ name: "a", args: { n: index } }]));

  it("stops before the request that would pass it", async () => {
    const { stream, requests } = endless();
    const { agent, events } = await openAgent({ stream, toolDescriptions, budget: { requests: 5 } });
    expect(await ask(agent)).toMatchObject({
      kind: "budget",
      exitCode: 6,
      requests: 5,
      stop: { rule: "requests" },
    });
    expect(requests).toHaveLength(5);
    expect(events.slice(-2)).toMatchObject([{ type: "budget", action: "stop" }, { type: "result" }]);
  });

  it("is 200 requests when nobody says otherwise, retries included", async () => {
    const { stream, requests } = endless();
    const { agent } = await openAgent({ stream, toolDescriptions });
    await ask(agent);
    expect(requests).toHaveLength(200);
  });

  it("limits tokens and time", async () => {
    const { runtime } = manualRuntime();
    const tokens = await openAgent({ stream: endless().stream, toolDescriptions, budget: { tokens: 400 } });
    expect(await ask(tokens.agent)).toMatchObject({ stop: { rule: "tokens" } });
    const slow = {
      ...runtime,
      now: (
        (at) => () =>
          (at += 1_000)
      )(0),
    };
    const time = await openAgent({
      stream: endless().stream,
      toolDescriptions,
      runtime: slow,
      budget: { duration: "20s" },
    });
    expect(await ask(time.agent)).toMatchObject({ stop: { rule: "duration", limit: 20_000 } });
  });

  it("may be one purse for several agents", async () => {
    const { Budget } = await import("@ashlar/agent");
    const budget = Budget.start({ requests: 6 }, Date.now());
    const first = await openAgent({ stream: scripted(text("a")).stream, budget });
    const second = await openAgent({ stream: endless().stream, toolDescriptions, budget });
    await ask(first.agent);
    expect(await ask(second.agent)).toMatchObject({ requests: 5, stop: { rule: "requests", used: 6 } });
  });

  it("in dollars is refused for a model without a price", async () => {
    const { agent } = await openAgent({ stream: scripted(text("a")).stream, budget: { cost: 1 } });
    agent.send("hello");
    await expect(agent.run()).rejects.toMatchObject({ kind: "usage", details: { argument: "budget.cost" } });
    expect(agent.busy).toBe(false);
  });
});

describe("what a user sends", () => {
  it("waits for the run, and the same text twice is sent twice", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream });
    agent.send("again");
    agent.send("again");
    expect([agent.pending, agent.context.length]).toEqual([2, 0]);
    await agent.run();
    expect(requests[0]?.context).toMatchObject([{ type: 2, content: [{ text: "again\n\nagain" }] }]);
  });

  it("while tools run joins after their results", async () => {
    const { stream, requests } = scripted(again("a"), text("ok"));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: {
        a: tool(() => {
          agent.send("by the way");
          return "A";
        }),
      },
    });
    await ask(agent);
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([2, 3, 4, 2]);
  });

  it("while the last answer comes is answered in the same run", async () => {
    const { stream, requests } = scripted(() => {
      if (requests.length === 1) agent.send("one more thing");
      return text("first");
    }, text("second"));
    const { agent } = await openAgent({ stream });
    expect(await ask(agent)).toMatchObject({ requests: 2, message: { content: [{ text: "second" }] } });
  });

  it("stays queued when the run fails, and can be taken back", async () => {
    const { stream } = scripted(() => {
      agent.send("unheard");
      return failure({ kind: "provider", status: 400 });
    });
    const { agent } = await openAgent({ stream });
    await ask(agent);
    expect(agent.pending).toBe(1);
    expect(agent.pendingPop()).toMatchObject([{ content: [{ text: "unheard" }] }]);
    expect(agent.pending).toBe(0);
  });

  it("means go on when it is blank", async () => {
    const { stream, requests } = scripted(text("first"), text("second"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    expect(await ask(agent, " \n\t")).toMatchObject({ kind: "success" });
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([2, 3]);
  });

  it("may be blocks, and is checked at once", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream });
    agent.send([
      { type: "text", text: "look" },
      { type: "image", content: "AAAA", mimetype: "image/png" },
    ]);
    expect(() => agent.send([{ type: "text" } as never])).toThrow(
      expect.objectContaining({ kind: "malformed" }),
    );
    await agent.run();
    expect(requests[0]?.context).toMatchObject([{ content: [{ type: "text" }, { type: "image" }] }]);
  });

  it("must be something before the first run", async () => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    expect(await agent.run()).toMatchObject({ kind: "usage", exitCode: 1, requests: 0 });
  });
});

it("ends when its store fails, and says so", async () => {
  const context = new Context({
    store: {
      ...createMemoryStore(),
      append: () => Promise.reject(new Error("disk full")),
    },
  });
  const { env } = await openAgent({ stream: scripted(text("ok")).stream });
  const agent = env.agentCreate({ stream: scripted(text("ok")).stream, context });
  const result = await ask(agent);
  expect(result).toMatchObject({ status: "failed", kind: "other", exitCode: 1 });
  expect(result.error).toContain("disk full");
  await expect(agent.close()).rejects.toMatchObject({ kind: "storage" });
  expect(env.agents()).not.toContain(agent);
});

it("stops a turn that outgrows the window it does not know", async () => {
  const big = "word ".repeat(40_000);
  const { stream } = scripted(({ index }) => calls([{ name: "a", args: { index } }]));
  const { agent } = await openAgent({ stream, toolDescriptions: { a: tool(() => big) } });
  expect(await ask(agent)).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "turn" } });
});

it("counts usage over all runs, from zero", async () => {
  const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
  expect(agent.usage).toEqual({ inputTokens: 0, outputTokens: 0, source: "provider" });
  await ask(agent);
  await ask(agent);
  expect(agent.usage).toMatchObject({ inputTokens: 20, outputTokens: 4 });
});

it("looks only at what is new in each round", async () => {
  const rounds = 300;
  const { stream, requests } = scripted(({ index }) =>
    index < rounds ? calls([{ name: "a", args: { n: index } }]) : text("ok"),
  );
  const { agent } = await openAgent({
    stream,
    toolDescriptions: { a: tool(({ n }: { n: number }) => `r${n}`) },
    budget: { requests: false },
  });
  expect(await ask(agent)).toMatchObject({ kind: "success", requests: rounds + 1 });
  // The messages of one request are the very objects of the next.
  const last = requests[rounds]?.context ?? [];
  const before = requests[rounds - 1]?.context ?? [];
  expect(before.every((item, index) => item === last[index])).toBe(true);
});
