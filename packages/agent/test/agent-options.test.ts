import { Agent, AgentEnv, type AgentOptions } from "@ashlar/agent";
import { Context } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { openLab } from "./support/fake-models.js";
import { ask, openAgent } from "./support/open-agent.js";
import { calls, scripted, text } from "./support/scripted-stream.js";

const failing = (kind: string, words: RegExp) =>
  expect.objectContaining({ kind, message: expect.stringMatching(words) });

describe("a new agent", () => {
  it.each([
    { why: "a url", options: { url: "http://x" }, words: /providers\.<endpoint>\.url/ },
    { why: "an endpoint", options: { endpoint: "ollama" }, words: /"endpoint\/model"/ },
    { why: "a provider", options: { provider: "ollama" }, words: /providers\.<endpoint>\.provider/ },
    { why: "the old way to make it safe", options: { safe: true }, words: /can: \{ write: false \}/ },
    { why: "a misspelt option", options: { tool: [] }, words: /Did you mean "tools"/ },
    { why: "tools that are no names", options: { tools: "read" }, words: /array of names/ },
    { why: "a blank name", options: { name: " " }, words: /name has letters and digits/ },
    { why: "something else for an Env", options: { env: {} }, words: /Agent\.Env\.open/ },
  ])("refuses $why and says what would be right", ({ options, words }) => {
    // Wrong options are the point here; the compiler refuses them too.
    expect(() => new Agent(options as AgentOptions)).toThrow(failing("usage", words));
  });

  it("needs an Env: one that is given, or the open one of the process's folder", () => {
    expect(() => new Agent()).toThrow(failing("usage", /env must be an Env/));
  });

  it("needs a model that exists", async () => {
    const lab = await openLab();
    expect(() => lab.open("nowhere/ok")).toThrow(failing("usage", /nowhere/));
    expect(() => new Agent({ env: lab.env })).toThrow(expect.objectContaining({ kind: "usage" }));
  });

  it("is named, numbered, described and not busy", async () => {
    const { agent, env } = await openAgent({ stream: scripted(text("ok")).stream });
    expect(agent.name).toMatch(/^agent-\d+$/);
    expect([agent.description, agent.busy, agent.closed, agent.pending, agent.throttledUntil]).toEqual([
      "",
      false,
      false,
      0,
      undefined,
    ]);
    const named = env.agentCreate({
      stream: scripted(text("ok")).stream,
      name: "reviewer",
      description: "Reviews.",
    });
    expect([named.name, named.description]).toEqual(["reviewer", "Reviews."]);
    expect(env.agents()).toEqual([agent, named]);
    await named.close();
  });

  it("takes over a context as it is, or starts one with messages", async () => {
    const context = new Context({ items: [{ type: 2, content: [{ type: "text", text: "before" }] }] });
    const taken = await openAgent({ stream: scripted(text("ok")).stream, context });
    expect(taken.agent.context).toBe(context);
    const started = await openAgent({ stream: scripted(text("ok")).stream, context: context.items() });
    expect(started.agent.context).not.toBe(context);
    expect(await started.agent.run()).toMatchObject({ kind: "success" });
  });

  it("offers what it names", async () => {
    const tool = { description: "A tool.", safe: true, inputSchema: { type: "object" }, fn: () => "" };
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { a: tool, b: tool, c: { ...tool, secret: true } },
    });
    expect([...(await agent.tools).keys()]).toEqual(["a", "b"]);
    await ask(agent);
    expect(requests[0]?.options.tools.map(({ name }) => name)).toEqual(["a", "b"]);
    const all = agent.env.agentCreate({ stream, tools: ["*"] });
    const none = agent.env.agentCreate({ stream, tools: [] });
    const one = agent.env.agentCreate({ stream, tools: ["b"] });
    expect(await Promise.all([all, none, one].map(async ({ tools }) => (await tools).size))).toEqual([
      2, 0, 1,
    ]);
  });

  it("of the safe view can never write", async () => {
    const { env } = await openAgent({ stream: scripted(text("ok")).stream });
    const view: unknown = env.safe;
    if (!(view instanceof AgentEnv)) throw new Error("the safe view is no Env");
    const agent = view.agentCreate({ stream: scripted(text("ok")).stream, can: { write: true } });
    expect(agent.can.write).toBe(false);
    expect(() => {
      agent.can.write = true;
    }).toThrow(TypeError);
    expect(env.agents()).toContain(agent);
    await agent.close();
  });
});

describe("the model of an agent", () => {
  it("is checked when it is assigned, and a wrong one changes nothing", async () => {
    const lab = await openLab();
    const agent = lab.open("ollama/ok");
    const { policy } = agent;
    expect(() => {
      agent.model = "nowhere/ok";
    }).toThrow(expect.objectContaining({ kind: "usage" }));
    expect([agent.model, agent.policy]).toEqual(["ollama/ok", policy]);
    agent.model = "chat/echo";
    expect(agent.model).toBe("chat/echo");
    await ask(agent, "say this");
    expect(lab.server.asked()[0]?.path).toBe("/v1/chat/completions");
  });

  it("is no option of a run", async () => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    await expect(agent.run({ model: "a/b" } as object)).rejects.toEqual(failing("usage", /agent\.model/));
    await expect(agent.run({ timeouts: 5 } as object)).rejects.toEqual(
      failing("usage", /Did you mean "timeout"/),
    );
  });

  it("has a name even where the stream is a foreign one", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream, model: "lab/one" });
    await ask(agent);
    expect(requests[0]?.options.model).toBe("lab/one");
    expect(() => {
      agent.model = "one";
    }).toThrow(failing("usage", /endpoint\/model/));
  });
});

it("passes on what a request is to be like, the run before the agent", async () => {
  const { stream, requests } = scripted(text("ok"));
  const { agent } = await openAgent({
    stream,
    thinking: "low",
    settings: { a: 1, b: 1 },
    timeout: "5s",
    format: "json",
  });
  agent.send("hello");
  await agent.run({ thinking: "high", settings: { b: 2 } });
  expect(requests[0]?.options).toMatchObject({
    thinking: "high",
    format: "json",
    settings: { a: 1, b: 2 },
    timeouts: { overallMs: 5_000 },
  });
});

describe("a fork", () => {
  it("goes on from the same place, on its own", async () => {
    const { stream } = scripted(calls([{ name: "a" }]), text("first"), text("second"));
    const { agent } = await openAgent({
      stream,
      can: { write: false },
      toolDescriptions: {
        a: { description: "A.", safe: true, inputSchema: { type: "object" }, fn: () => "A" },
      },
    });
    await ask(agent);
    const fork = await Agent.fork(agent);
    expect(fork.context.items()).toEqual(agent.context.items());
    expect([fork.can.write, fork.model, fork.name === agent.name]).toEqual([false, agent.model, false]);
    await ask(fork, "another way");
    expect(fork.context.length).toBe(agent.context.length + 2);
    expect([fork.usage.inputTokens, agent.usage.inputTokens]).toEqual([10, 20]);
    await fork.close();
  });
});

it("publishes its layers", () => {
  expect([Agent.Context, typeof Agent.Env.open, typeof Agent.IO]).toEqual([Context, "function", "function"]);
});

it("says how full the context is", async () => {
  const lab = await openLab();
  const agent = lab.open("ollama/echo");
  expect(agent.contextUsage.used).toBeGreaterThan(0);
  expect(agent.contextUsage.total).toBeUndefined();
  await ask(agent, "word ".repeat(100));
  expect(agent.contextUsage.used).toBeGreaterThan(200);
  expect(agent.contextUsage.total).toBeGreaterThan(1_000);
});
