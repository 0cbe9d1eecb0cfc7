import { MessageType } from "@ashlar/context";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { ask, manualRuntime, openAgent } from "../support/open-agent.js";
import { calls, scripted, type Turn, text } from "../support/scripted-stream.js";

const tool = (fn: (args: never) => unknown): ToolDescriptions[string] => ({
  description: "A tool.",
  safe: true,
  inputSchema: { type: "object" },
  fn: (args) => fn(args) as string,
});
const again = (name: string, args: unknown = {}): Turn => calls([{ name, args }]);

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

it("stops a turn that outgrows the window it does not know", async () => {
  const big = "word ".repeat(40_000);
  const { stream } = scripted(({ index }) => calls([{ name: "a", args: { index } }]));
  const { agent } = await openAgent({ stream, toolDescriptions: { a: tool(() => big) } });
  expect(await ask(agent)).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "turn" } });
});
