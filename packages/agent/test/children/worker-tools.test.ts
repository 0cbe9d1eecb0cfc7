import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, type AgentCreateOptions } from "@ashlar/agent";
import type { ContextItem } from "@ashlar/context";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { portabilityProblems } from "../../src/testing/schema-portability.js";
import { safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { type Call, calls, type SeenRequest, scripted, type Turn, text } from "../support/scripted-stream.js";
import { workerTools } from "../support/worker-tools.js";

const lastText = ({ context }: SeenRequest): string => {
  const last = context.at(-1);
  return last !== undefined && "content" in last ? textOf(last as Parameters<typeof textOf>[0]) : "";
};

interface Team {
  readonly agent: Agent;
  readonly requests: readonly SeenRequest[];
  readonly results: () => readonly string[];
}

interface TeamOptions extends AgentCreateOptions {
  readonly tools2?: ToolDescriptions;
  readonly envSettings?: Readonly<Record<string, unknown>>;
}

/** An agent that makes these calls, one turn after the other; its workers play `worker`. */
async function team(
  turns: readonly (readonly Call[])[],
  worker: Turn,
  { tools2, ...options }: TeamOptions = {},
): Promise<Team> {
  const parent = scripted(...turns.map((list) => calls(list)), text("all done"));
  const below = scripted(worker);
  const own = "stream/lead";
  const { agent } = await openAgent({
    model: own,
    stream: (context, sink, rest) =>
      (rest.model === own && isLead(context) ? parent : below).stream(context, sink, rest),
    toolDescriptions: { ...workerTools, ...tools2 },
    can: { spawn: true },
    systemPrompt: "You lead.",
    ...options,
  });
  return { agent, requests: below.requests, results: () => toolResults(agent.context.items()).map(textOf) };
}

function isLead(context: readonly ContextItem[]): boolean {
  return !JSON.stringify(context[0]).includes("You are the worker");
}

const two = {
  workers: [{ name: "left" }, { name: "right", safe: true, description: "Reads." }],
  prompt: "Look.",
};
const create = (args: unknown = two): Call => ({ name: "worker-create", args });

describe("worker-create", () => {
  it("makes workers that work beside the agent and answer to it", async () => {
    const { agent, requests, results } = await team([[create()], [{ name: "worker-status" }]], text("seen"));
    const result = await ask(agent, "go");
    expect(result).toMatchObject({ kind: "success" });
    expect(JSON.parse(results()[0] ?? "")).toMatchObject({
      workers: [
        { name: "left", state: "busy", model: "stream/lead", folder: agent.folder },
        { name: "right", state: "busy", description: "Reads." },
      ],
      next: expect.stringContaining("at work"),
    });
    expect(requests.map(lastText)).toEqual(["Look.", "Look."]);
    expect(requests[0]?.context[0]).toMatchObject({
      type: 1,
      content: [
        { text: expect.stringMatching(/^You lead\.\n\nYou are the worker left of the agent agent-\d+\./) },
      ],
    });
    const [left, right] = agent.children;
    expect([left?.can.write, right?.can.write, left?.can.spawn]).toEqual([true, false, false]);
    const heard = JSON.stringify([...agent.context.items(), ...agent.pendingPop()]);
    expect(heard).toContain("Worker left answered:\\n\\nseen");
    expect(heard).toContain("Worker right answered:\\n\\nseen");
  });

  it("makes idle ones without a prompt, with a model and a folder of their own", async () => {
    const workers = [{ name: "w", model: "stream/other", thinking: "low", subfolder: "sub" }];
    const { agent, requests, results } = await team([[create({ workers })]], text("seen"));
    await mkdir(join(agent.folder, "sub"));
    await ask(agent, "go");
    expect(JSON.parse(results()[0] ?? "")).toMatchObject({
      workers: [{ name: "w", state: "idle", model: "stream/other", folder: join(agent.folder, "sub") }],
    });
    expect([requests.length, agent.children.length]).toEqual([0, 1]);
  });

  it.each([
    { why: "a name that is taken twice", workers: [{ name: "ab" }, { name: "АB" }], words: /two are called/ },
    { why: "a reserved name", workers: [{ name: "ok" }, { name: "r00t" }], words: /reads like "root"/ },
    {
      why: "a folder that is none",
      workers: [{ name: "ok" }, { name: "b", subfolder: "none" }],
      words: /is no folder/,
    },
    {
      why: "a folder outside",
      workers: [{ name: "ok" }, { name: "b", subfolder: ".." }],
      words: /is not inside/,
    },
    {
      why: "a level that is none",
      workers: [{ name: "ok" }, { name: "b", thinking: "much" }],
      words: /is no level/,
    },
    {
      why: "a model that is none",
      workers: [{ name: "ok" }, { name: "b", model: "x" }],
      words: /endpoint\/model/,
    },
    { why: "too many", workers: ["a", "b", "c"].map((name) => ({ name })), words: /2 of 2/ },
    {
      why: "more than their model takes",
      workers: ["a", "b"].map((name) => ({ name, model: "stream/tight" })),
      words: /stream\/tight takes 1 more of 1/,
    },
    { why: "a blank prompt", workers: [{ name: "ok" }], prompt: " ", words: /no text in it/ },
  ])("makes none when one has $why", async ({ workers, prompt, words }) => {
    const { agent, results } = await team([[create({ workers, prompt: prompt ?? "Look." })]], text("seen"), {
      budget: { width: 2 },
      envSettings: { providers: { stream: { models: { tight: { maxActive: 1 } } } } },
    });
    await ask(agent, "go");
    expect(results()[0]).toMatch(words);
    expect(agent.children).toEqual([]);
    expect(agent.pending).toBe(0);
  });

  it("is refused by a person, or where nobody is there, or below", async () => {
    const alone = await team([[create()]], text("seen"), { can: {} });
    expect(await ask(alone.agent, "go")).toMatchObject({ kind: "refused", exitCode: 7 });
    expect(alone.results()[0]).toContain("worker-create was not run: a person has to allow workers");
    const asked = await team([[create()]], text("seen"), {
      can: {},
      question: { ask: async () => [{ labels: ["Never"] }] },
    });
    await ask(asked.agent, "go");
    expect([asked.agent.can.spawn, asked.agent.children.length]).toEqual([false, 0]);
    const below = await team([[create({ workers: [{ name: "w" }], prompt: "Look." })]], ({ index }) =>
      index === 0 ? calls([create({ workers: [{ name: "deeper" }] })]) : text("seen"),
    );
    await ask(below.agent, "go");
    await expect.poll(() => below.requests.length).toBe(2);
    expect(JSON.stringify(below.requests[1]?.context)).toContain("this agent may have no workers");
  });

  it("takes no answer as a no, and stops waiting for it when the run is cancelled", async () => {
    const { agent } = await team([[create()]], text("seen"), {
      can: {},
      question: { ask: () => new Promise(() => undefined) },
    });
    agent.send("go");
    const running = agent.run();
    setTimeout(() => agent.cancel(), 50);
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect(agent.children).toEqual([]);
    // The question that nobody answered stands in nobody's way.
    agent.can.spawn = true;
    const later = await agent.toolCall("worker-create", { workers: [{ name: "w" }] });
    expect(later.error).toBeUndefined();
    expect(agent.children.map(({ name }) => name)).toEqual(["w"]);
  });
});

describe("worker-message", () => {
  it("sets idle workers to work and reaches busy ones with their next request", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hold = safeTool(async () => {
      await held;
      return "held";
    });
    const letGo = safeTool(() => {
      release();
      return "let go";
    });
    const workers = [{ name: "w-1" }, { name: "w-2" }, { name: "other" }];
    const message = (args: unknown): Call => ({ name: "worker-message", args });
    const { agent, requests, results } = await team(
      [
        [create({ workers })],
        [message({ workers: ["/^w-/"], prompt: "Begin." })],
        [message({ workers: ["w-1"], prompt: "And this." })],
        [{ name: "let-go" }],
      ],
      (request) => (lastText(request) === "Begin." ? calls([{ name: "hold" }]) : text("done")),
      { tools2: { hold, "let-go": letGo } },
    );
    await ask(agent, "go");
    expect(JSON.parse(results()[1] ?? "")).toMatchObject({
      sent: [{ name: "w-1", state: "busy" }, { name: "w-2" }],
    });
    expect(JSON.parse(results()[2] ?? "")).toMatchObject({ sent: [{ name: "w-1", pending: 1 }] });
    await expect.poll(() => requests.map(lastText)).toContain("And this.");
  });

  it("may begin with a command of the user's prompts, which worker-status lists", async () => {
    const { agent, requests, results } = await team(
      [
        [create({ workers: [{ name: "w" }] })],
        [{ name: "worker-status", args: { commands: true, models: true } }],
        [{ name: "worker-message", args: { workers: ["*"], prompt: "/nothing here" } }],
      ],
      text("done"),
    );
    await ask(agent, "go");
    expect(JSON.parse(results()[1] ?? "")).toMatchObject({
      commands: [],
      models: [{ model: "stream/lead", available: 7, maxActive: 8 }],
    });
    await expect.poll(() => requests.map(lastText)).toEqual(["/nothing here"]);
  });
});

it("worker-create leaves no worker, and none at work, when it is cancelled while it makes them", async () => {
  const { agent, requests } = await team([[create()]], text("looked"));
  const handle = agent.env.onEvent(Agent.Env.EVENT.AGENT_ADDED, ({ agent: added }) => {
    if (added.name === "left") agent.cancel();
  });
  expect(await ask(agent, "go")).toMatchObject({ status: "cancelled" });
  agent.env.offEvent(handle);
  await expect.poll(() => agent.env.agents().map(({ name }) => name)).toEqual([agent.name]);
  expect(requests).toEqual([]);
});

describe("worker-close", () => {
  const close: Call = { name: "worker-close", args: { workers: ["*"] } };

  it("ends idle ones at once and lets busy ones hand off", async () => {
    const slow = safeTool(() => new Promise((resolve) => setTimeout(resolve, 100, "slow")));
    const { agent, requests, results } = await team(
      [
        [create({ workers: [{ name: "idle" }] })],
        [create({ workers: [{ name: "busy" }], prompt: "Look." })],
        [close],
      ],
      (request) => (lastText(request) === "Look." ? calls([{ name: "slow" }]) : text("handed off")),
      { tools2: { slow } },
    );
    await ask(agent, "go");
    expect(JSON.parse(results()[2] ?? "")).toEqual({
      closed: [
        { name: "idle", end: "idle" },
        { name: "busy", end: "finished" },
      ],
    });
    expect(requests.map(lastText).at(-1)).toMatch(/^You are about to be closed/);
    expect(JSON.stringify([...agent.context.items(), ...agent.pendingPop()])).toContain(
      "Worker busy answered:\\n\\nhanded off",
    );
    expect(agent.children).toEqual([]);
  });

  it("waits for one as long as its own deadline is away, though that is months", async () => {
    const slow = safeTool(() => new Promise((resolve) => setTimeout(resolve, 100, "slow")));
    const { agent, results } = await team(
      [[create({ workers: [{ name: "busy" }], prompt: "Look." })], [close]],
      (request) => (lastText(request) === "Look." ? calls([{ name: "slow" }]) : text("handed off")),
      { tools2: { slow }, toolCall: { timeout: "60d" }, envSettings: { tools: { timeoutLimit: "60d" } } },
    );
    await ask(agent, "go");
    expect(JSON.parse(results()[1] ?? "")).toEqual({ closed: [{ name: "busy", end: "finished" }] });
  });

  it("cancels one that does not hand off in time", async () => {
    const stuck = safeTool(
      (_args, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("x"))),
    );
    const { agent, results } = await team([[create()], [close]], calls([{ name: "stuck" }]), {
      tools2: { stuck },
      toolCall: { timeout: 10_300 },
    });
    await ask(agent, "go");
    expect(JSON.parse(results()[1] ?? "")).toEqual({
      closed: [
        { name: "left", end: "cancelled" },
        { name: "right", end: "cancelled" },
      ],
    });
    expect(agent.children).toEqual([]);
  });

  it("may be called together with worker-create: each waits for the one before", async () => {
    const { agent, results } = await team([[create({ workers: [{ name: "w" }] }), close]], text("seen"));
    await ask(agent, "go");
    expect(results().map((result) => JSON.parse(result))).toMatchObject([
      { workers: [{ name: "w" }] },
      { closed: [{ name: "w", end: "idle" }] },
    ]);
  });
});

it("A worker tool of a package, or called by hand through the Env, has no workers", async () => {
  const { agent, env } = await openAgent({
    stream: scripted(text("ok")).stream,
    toolDescriptions: workerTools,
  });
  await writeFile(join(agent.folder, "x"), "");
  const context = { call: { callId: "1", name: "worker-status" } };
  // Env itself hands over no workers.
  await expect(env.toolCall("worker-status", {}, context as never)).rejects.toMatchObject({ kind: "usage" });
});

it("A worker that cannot start says so to its agent", async () => {
  const { agent } = await team([[create({ workers: [{ name: "w" }], prompt: "Look." })]], text("x"), {
    budget: { requests: 1 },
  });
  await ask(agent, "go");
  await expect.poll(() => agent.pending).toBe(1);
  expect(agent.pendingPop().map(textOf)[0]).toMatch(/Worker w did not finish \(budget: /);
});

describe("an agent that would stop", () => {
  const slow = safeTool(() => new Promise((resolve) => setTimeout(resolve, 80, "slow")));
  const looks: Turn = (request) => (lastText(request) === "Look." ? calls([{ name: "slow" }]) : text("seen"));

  it("hears first what the workers that it set to work answer", async () => {
    const { agent } = await team([[create()]], looks, { tools2: { slow } });
    const notices: string[] = [];
    agent.onEvent(Agent.EVENT.LOG, (message) => void notices.push(message));
    expect(await ask(agent, "go")).toMatchObject({ kind: "success" });
    const heard = JSON.stringify(agent.context.items());
    expect(notices).toContain("Waiting for left, right.");
    expect(heard).toContain("Worker left answered");
    expect(heard).toContain("Worker right answered");
    expect([agent.pending, agent.children.some(({ busy }) => busy)]).toEqual([0, false]);
  });

  it("hears what else is sent meanwhile, and may be cancelled", async () => {
    let release = (): void => undefined;
    const hold = safeTool(
      (_args, { signal }) =>
        new Promise((resolve) => {
          release = () => resolve("held");
          signal.addEventListener("abort", () => resolve("ended"));
        }),
    );
    const holds: Turn = (request) =>
      lastText(request) === "Look." ? calls([{ name: "hold" }]) : text("seen");
    const { agent } = await team([[create({ workers: [{ name: "w" }], prompt: "Look." })]], holds, {
      tools2: { hold },
    });
    const running = ask(agent, "go");
    await expect.poll(() => JSON.stringify(agent.context.items())).toContain("all done");
    agent.send("and what about this?");
    await expect.poll(() => JSON.stringify(agent.context.items())).toContain("what about this");
    expect(agent.busy).toBe(true);
    agent.cancel();
    expect(await running).toMatchObject({ kind: "cancelled" });
    release();
    await expect.poll(() => agent.pending).toBe(1);
  });

  it("is not held by children that its host set to work", async () => {
    let release = (): void => undefined;
    const hold = safeTool(
      () =>
        new Promise((resolve) => {
          release = () => resolve("held");
        }),
    );
    const { agent } = await team([], calls([{ name: "hold" }]), { tools2: { hold } });
    const child = await agent.childCreate({
      name: "own",
      stream: scripted(calls([{ name: "hold" }]), text("x")).stream,
    });
    const running = ask(child);
    expect(await ask(agent, "go")).toMatchObject({ kind: "success" });
    release();
    await running;
  });
});

it.each(Object.entries(workerTools))(
  "The schema of %s is understood by every server",
  (_name, { inputSchema }) => {
    expect(portabilityProblems(inputSchema)).toEqual([]);
  },
);
