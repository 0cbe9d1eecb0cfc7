import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Agent, type AgentCreateOptions, Budget, type ChildOptions } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { safeTool, textOf } from "../support/call-tools.js";
import { ask, openAgent, temporaryFolder } from "../support/open-agent.js";
import { calls, failure, scripted, text } from "../support/scripted-stream.js";

const ok = () => scripted(text("ok")).stream;
const usage = (argument: string, words: RegExp | string = "") =>
  expect.objectContaining({
    kind: "usage",
    details: { argument },
    message: expect.stringMatching(words),
  });

async function openParent(options: AgentCreateOptions & Parameters<typeof openAgent>[0] = {}) {
  return openAgent({ stream: ok(), ...options });
}

describe("a child", () => {
  it("has a parent, which lists it as long as it is open, and tells of both", async () => {
    const { agent, env } = await openParent();
    const told: string[] = [];
    agent.onEvent(Agent.EVENT.CHILD_ADDED, ({ name }) => void told.push(`+${name}`));
    agent.onEvent(Agent.EVENT.CHILD_REMOVED, ({ name }) => void told.push(`-${name}`));
    const child = await agent.childCreate({ name: "reader", description: "Reads." });
    expect([child.parent, agent.parent, child.name, child.description]).toEqual([
      agent,
      undefined,
      "reader",
      "Reads.",
    ]);
    expect(agent.children).toEqual([child]);
    expect(env.agents()).toEqual([agent, child]);
    await child.close();
    expect(agent.children).toEqual([]);
    expect(told).toEqual(["+reader", "-reader"]);
  });

  it("has what its parent has, unless it was made with something else", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openParent({
      stream,
      model: "a/one",
      settings: { x: 1, y: 1 },
      thinking: "low",
      format: "json",
    });
    agent.model = "a/two";
    const like = await agent.childCreate({ name: "like" });
    const unlike = await agent.childCreate({
      name: "unlike",
      model: "b/c",
      settings: { y: 2 },
      thinking: "none",
    });
    await ask(like);
    await ask(unlike);
    expect(requests.map(({ options }) => options)).toMatchObject([
      { model: "a/two", thinking: "low", settings: { x: 1, y: 1 } },
      { model: "b/c", thinking: "none", settings: { x: 1, y: 2 } },
    ]);
    expect(requests.map(({ options }) => options.format)).toEqual([undefined, undefined]);
  });

  it("has no tool that its parent has not", async () => {
    const toolDescriptions = { a: safeTool(() => "a"), b: safeTool(() => "b") };
    const { agent } = await openParent({ toolDescriptions, tools: ["a"] });
    const names = async (child: Agent): Promise<string[]> => [...(await child.tools).keys()];
    expect(await names(await agent.childCreate({ name: "same" }))).toEqual(["a"]);
    expect(await names(await agent.childCreate({ name: "every", tools: ["*"] }))).toEqual(["a"]);
    expect(await names(await agent.childCreate({ name: "without", tools: [] }))).toEqual([]);
    await expect(agent.childCreate({ name: "more", tools: ["a", "b"] })).rejects.toThrow(
      usage("tools", /has no tool "b"/),
    );
  });

  it("never asks a person", async () => {
    let asked = 0;
    const question = {
      ask: async () => {
        asked += 1;
        return [{ text: "yes" }];
      },
    };
    const toolDescriptions = { ask: safeTool(() => "asked", { interactive: true }) };
    const { agent } = await openParent({ question, toolDescriptions });
    const { stream } = scripted(calls([{ name: "ask" }]), text("ok"));
    const child = await agent.childCreate({ name: "alone", stream });
    await ask(child);
    expect(
      child.context
        .items()
        .map((item) => JSON.stringify(item))
        .join(),
    ).toContain("nobody is there");
    expect(asked).toBe(0);
  });
});

describe("the options of a child", () => {
  const wrong: readonly { why: string; options: unknown; argument: string; words: RegExp }[] = [
    { why: "no name", options: {}, argument: "name", words: /name is missing/ },
    {
      why: "a reserved name",
      options: { name: "аdmin" },
      argument: "name",
      words: /"admin", which is reserved/,
    },
    {
      why: "a budget",
      options: { name: "a", budget: { requests: 1 } },
      argument: "budget",
      words: /parent's budget/,
    },
    { why: "a person", options: { name: "a", question: {} }, argument: "question", words: /parent may ask/ },
    {
      why: "workers of its own",
      options: { name: "a", can: { spawn: true } },
      argument: "can.spawn",
      words: /no workers/,
    },
    {
      why: "an old word",
      options: { name: "a", safe: true },
      argument: "safe",
      words: /can: \{ write: false \}/,
    },
    { why: "a misspelt one", options: { name: "a", modle: "x/y" }, argument: "modle", words: /"model"/ },
  ];
  it.each(wrong)("may not be $why", async ({ options, argument, words }) => {
    const { agent } = await openParent();
    // Wrong options are the point here; the compiler refuses them too.
    await expect(agent.childCreate(options as ChildOptions)).rejects.toThrow(usage(argument, words));
    expect(agent.children).toEqual([]);
  });

  it("give it a name that nobody open in the Env has, or has nearly", async () => {
    const { agent, env } = await openParent({ name: "lead" });
    const other = env.agentCreate({ stream: ok(), name: "other" });
    await agent.childCreate({ name: "reader-1" });
    for (const name of ["reader-1", "Reader-1", "reаder-1", "reader-l", "lead", "other"])
      await expect(agent.childCreate({ name })).rejects.toThrow(usage("name", /is taken/));
    await other.close();
    await agent.childCreate({ name: "other" });
    const both = await Promise.allSettled([
      agent.childCreate({ name: "twin" }),
      agent.childCreate({ name: "twin" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [child] = agent.children;
    await child?.close();
    await agent.childCreate({ name: "reader-1" });
  });
});

describe("what a child may do", () => {
  it("is never more than what its parent may, also later", async () => {
    const { agent } = await openParent();
    const child = await agent.childCreate({ name: "a" });
    const narrow = await agent.childCreate({ name: "b", can: { write: false, network: false } });
    const may = ({ can: { write, network, spawn } }: Agent) => [write, network, spawn];
    agent.can.spawn = true;
    child.can.spawn = true;
    expect([agent, child, narrow].map(may)).toEqual([
      [true, true, true],
      [true, true, false],
      [false, false, false],
    ]);
    agent.can.write = false;
    agent.can.network = false;
    child.can.write = true;
    expect(may(child)).toEqual([false, false, false]);
    agent.can.write = true;
    expect([child.can.write, narrow.can.write]).toEqual([true, false]);
  });

  it("is only reading below a parent that only reads", async () => {
    let changed = 0;
    const change = safeTool(
      () => {
        changed += 1;
        return "changed";
      },
      { safe: false },
    );
    const toolDescriptions = { change };
    const { agent } = await openParent({ toolDescriptions, can: { write: false } });
    const { stream } = scripted(calls([{ name: "change" }]), text("done"));
    const child = await agent.childCreate({ name: "a", stream, can: { write: true } });
    child.can.write = true;
    expect(await ask(child)).toMatchObject({ kind: "refused", exitCode: 7 });
    expect(changed).toBe(0);
  });
});

describe("the folder of an agent", () => {
  it("is the project, or a folder of it, and a child's lies in its parent's", async () => {
    const { agent, env } = await openParent();
    expect(agent.folder).toBe(env.cwd);
    await mkdir(join(env.cwd, "src/deep"), { recursive: true });
    await mkdir(join(env.cwd, "docs"));
    const child = await agent.childCreate({ name: "a", folder: "src" });
    expect(child.folder).toBe(join(env.cwd, "src"));
    expect((await agent.childCreate({ name: "b", folder: join(env.cwd, "docs") })).folder).toBe(
      join(env.cwd, "docs"),
    );
    const narrowed = env.agentCreate({ stream: ok(), folder: "src" });
    expect((await narrowed.childCreate({ name: "c", folder: "deep" })).folder).toBe(
      join(env.cwd, "src/deep"),
    );
    for (const folder of ["..", "../docs", env.cwd])
      await expect(narrowed.childCreate({ name: "d", folder })).rejects.toThrow(
        usage("folder", /is not inside/),
      );
    await narrowed.close();
  });

  it("is refused when it leads out, is none, or is not for tools", async () => {
    const { agent, env } = await openParent();
    const outside = await realpath(await temporaryFolder());
    await symlink(outside, join(env.cwd, "out"));
    await mkdir(join(env.cwd, "ai-jobs/tasks"), { recursive: true });
    await mkdir(join(env.cwd, "sub/.git/x"), { recursive: true });
    await symlink("loop", join(env.cwd, "loop"));
    const refused = (folder: string) => agent.childCreate({ name: "a", folder });
    await expect(refused("out")).rejects.toThrow(usage("folder", /is not inside/));
    await expect(refused(outside)).rejects.toThrow(usage("folder", /is not inside/));
    await expect(refused("missing")).rejects.toThrow(usage("folder", /is no folder/));
    await expect(refused("loop")).rejects.toThrow(usage("folder", /is no folder/));
    await expect(refused("ai-jobs/tasks")).rejects.toThrow(usage("folder", /decides what others run/));
    await expect(refused("sub/.git/x")).rejects.toThrow(usage("folder", /decides what others run/));
    expect(() => new Agent({ env, stream: ok(), folder: "missing" })).toThrow(usage("folder"));
  });
});

describe("one budget", () => {
  const endless = () => scripted(({ index }) => calls([{ name: "a", args: { index } }])).stream;
  const toolDescriptions = { a: safeTool(({ index }: { index: number }) => String(index)) };

  it("stops three children together, however they take turns", async () => {
    const { agent } = await openParent({ toolDescriptions, budget: { requests: 10 } });
    const names = ["a", "b", "c"];
    const children = await Promise.all(names.map((name) => agent.childCreate({ name, stream: endless() })));
    const results = await Promise.all(children.map((child) => ask(child)));
    expect(results).toMatchObject(
      names.map(() => ({ kind: "budget", exitCode: 6, stop: { rule: "requests", used: 10, limit: 10 } })),
    );
    expect(results.reduce((sum, { requests }) => sum + requests, 0)).toBe(10);
    expect(results.every(({ requests }) => requests > 0)).toBe(true);
    await agent.close();
    expect(children.map(({ closed }) => closed)).toEqual([true, true, true]);
  });

  it("is that of the parent's run, and begins anew with the next one", async () => {
    const { agent } = await openParent({ budget: { requests: 2 } });
    const child = await agent.childCreate({ name: "a" });
    await ask(child);
    await ask(child);
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests" } });
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 1 });
    expect(await ask(child)).toMatchObject({ kind: "success" });
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests" } });
  });

  it("that was handed in is not begun anew", async () => {
    const budget = Budget.start({ requests: 2 }, Date.now());
    const { agent } = await openParent({ budget });
    const child = await agent.childCreate({ name: "a" });
    await ask(child);
    await ask(agent);
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests" } });
    expect(await ask(agent)).toMatchObject({ stop: { rule: "requests" } });
  });

  it("is not for a child's run to change", async () => {
    const { agent } = await openParent();
    const child = await agent.childCreate({ name: "a" });
    child.send("hello");
    await expect(child.run({ budget: { requests: 5 } })).rejects.toThrow(usage("budget"));
  });

  it("says how many children there may be, and how deep", async () => {
    const { agent } = await openParent({ budget: { width: 2, depth: 1 } });
    const [first] = [await agent.childCreate({ name: "a" }), await agent.childCreate({ name: "b" })];
    await expect(agent.childCreate({ name: "c" })).rejects.toThrow(usage("budget.width", /2 of 2/));
    await expect(first?.childCreate({ name: "d" })).rejects.toThrow(usage("budget.depth", /1 of 1/));
    await ask(agent);
    await expect(agent.childCreate({ name: "c" })).rejects.toThrow(usage("budget.width"));
    await first?.close();
    await agent.childCreate({ name: "c" });
  });

  it("may let children have children", async () => {
    const { agent } = await openParent({ budget: { depth: 2, requests: 3 } });
    const child = await agent.childCreate({ name: "a" });
    const below = await child.childCreate({ name: "b" });
    expect([below.parent, below.can.spawn]).toEqual([child, false]);
    await ask(below);
    await ask(child);
    await ask(agent);
    await agent.close();
    expect([child.closed, below.closed]).toEqual([true, true]);
  });
});

describe("what a child answers", () => {
  const received = (agent: Agent) =>
    agent.pendingPop().map((message) => ({ worker: message.worker, text: textOf(message) }));

  it("waits for the parent's next request, headed by the child's name", async () => {
    const { stream, requests } = scripted(text("thanks"));
    const { agent } = await openParent({ stream });
    const child = await agent.childCreate({ name: "reader", stream: scripted(text("It is blue.")).stream });
    await ask(child);
    expect([agent.pending, agent.busy]).toEqual([1, false]);
    await agent.run();
    expect(requests[0]?.context.at(-1)).toMatchObject({
      type: 2,
      worker: "reader",
      content: [{ type: "text", text: "Worker reader answered:\n\nIt is blue." }],
    });
  });

  it("reaches a parent at work with its next request", async () => {
    const box: { child?: Agent } = {};
    const work = safeTool(async () => {
      if (box.child !== undefined) await ask(box.child);
      return "worked";
    });
    const { stream, requests } = scripted(calls([{ name: "work" }]), text("thanks"));
    const { agent } = await openParent({ stream, toolDescriptions: { work } });
    box.child = await agent.childCreate({ name: "reader", stream: scripted(text("blue")).stream });
    await ask(agent);
    expect(JSON.stringify(requests[1]?.context.at(-1))).toContain("Worker reader answered");
  });

  it.each([
    {
      why: "a failure",
      stream: scripted(failure({ kind: "auth", error: "no key" })).stream,
      text: /did not finish \(auth: no key\)/,
    },
    { why: "a stop", stream: scripted(calls([{ name: "none" }])).stream, text: /did not finish \(budget: / },
    { why: "no text", stream: scripted(text("")).stream, text: /did not finish|\(no text\)/ },
  ])("is said to be $why", async ({ stream, text: words }) => {
    const { agent } = await openParent({ budget: { requests: 4 } });
    await ask(await agent.childCreate({ name: "reader", stream }));
    expect(received(agent)).toEqual([{ worker: "reader", text: expect.stringMatching(words) }]);
  });

  it("is only that it was cancelled, when it was", async () => {
    const { agent } = await openParent();
    const child = await agent.childCreate({ name: "reader" });
    child.send("hello");
    const abort = new AbortController();
    abort.abort();
    await child.run({ signal: abort.signal });
    expect(received(agent)).toMatchObject([{ text: "Worker reader was cancelled." }]);
  });
});

describe("a parent that closes", () => {
  it("marks that first, then ends its children with their runs", async () => {
    const { agent, env } = await openParent();
    const slow = safeTool(
      (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    );
    const own = await openAgent({ stream: ok(), toolDescriptions: { slow } });
    const events: string[] = [];
    const child = await own.agent.childCreate({
      name: "a",
      stream: scripted(calls([{ name: "slow" }])).stream,
    });
    own.agent.onEvent(Agent.EVENT.CLOSE_MARKED, () => void events.push("marked"));
    own.agent.onEvent(Agent.EVENT.CHILD_REMOVED, () => void events.push("child gone"));
    own.agent.onEvent(Agent.EVENT.CLOSED, () => void events.push("closed"));
    const running = ask(child);
    await own.agent.close();
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect(events).toEqual(["marked", "child gone", "closed"]);
    expect([own.agent.pending, own.env.agents()]).toEqual([0, []]);
    expect(env.agents()).toEqual([agent]);
  });

  it("takes nothing new from the mark on, and ends what is under way only when it closes", async () => {
    const { agent } = await openParent();
    const marks: number[] = [];
    agent.onEvent(Agent.EVENT.CLOSE_MARKED, () => void marks.push(1));
    agent.closeMark();
    agent.closeMark();
    expect([agent.closeMarked, agent.closed, marks.length]).toEqual([true, false, 1]);
    const closed = expect.objectContaining({ kind: "closed" });
    expect(() => agent.send("hello")).toThrow(closed);
    await expect(agent.childCreate({ name: "a" })).rejects.toThrow(closed);
    await agent.close();
    expect([agent.closed, marks.length]).toEqual([true, 1]);
  });
});

it("takes no more agents at one time than its model does", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = safeTool(async () => {
    await held;
    return "done";
  });
  const { agent, env } = await openParent({
    model: "a/b",
    toolDescriptions: { wait },
    envSettings: { maxActive: 1 },
  });
  const child = await agent.childCreate({
    name: "a",
    stream: scripted(calls([{ name: "wait" }]), text("ok")).stream,
  });
  const running = ask(child);
  await expect(agent.childCreate({ name: "b" })).rejects.toThrow(
    usage("maxActive", /a\/b takes 0 more of 1/),
  );
  await agent.childCreate({ name: "c", model: "a/c" });
  release();
  await running;
  await agent.childCreate({ name: "b" });
  expect(env.agents().map(({ name }) => name)).toContain("b");
});
