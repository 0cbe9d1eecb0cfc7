import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Agent, AgentEnv, type ChildOptions } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, temporaryFolder } from "../support/open-agent.js";
import { ok, openParent, usage } from "../support/open-parent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

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

  it("is never to write over the safe view of an Env", async () => {
    const { env } = await openParent();
    const view: unknown = env.safe;
    if (!(view instanceof AgentEnv)) throw new Error("the safe view is no Env");
    const agent = view.agentCreate({ stream: ok(), systemPrompt: false });
    const child = await agent.childCreate({ name: "a", can: { write: true } });
    expect([child.env, child.can.write]).toEqual([view, false]);
    await agent.close();
    expect(child.closed).toBe(true);
  });

  it("is what it was when it is forked, without its parent", async () => {
    const { agent } = await openParent({ budget: { requests: 1 } });
    const child = await agent.childCreate({ name: "a", can: { network: false } });
    await ask(child);
    const fork = await Agent.fork(child);
    agent.can.write = false;
    expect([fork.parent, fork.can.write, fork.can.network]).toEqual([undefined, true, false]);
    await agent.close();
    expect(await ask(fork)).toMatchObject({ kind: "success" });
    await fork.close();
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
    await mkdir(join(env.cwd, "ai-skills"));
    await expect(refused("ai-skills")).rejects.toThrow(usage("folder", /decides what others run/));
    await expect(refused("ai-jobs/tasks")).rejects.toThrow(usage("folder", /decides what others run/));
    await expect(refused("sub/.git/x")).rejects.toThrow(usage("folder", /decides what others run/));
    expect(() => new Agent({ env, stream: ok(), folder: "missing" })).toThrow(usage("folder"));
  });
});

describe("what its parent's host laid down", () => {
  it("holds for a child: interceptors and permission rules, where nobody can be asked", async () => {
    const seen: string[] = [];
    const look = safeTool(() => "looked");
    const { agent } = await openParent({
      toolDescriptions: { look, peek: look },
      envSettings: { permissions: [{ tool: "peek", action: "ask" }] },
      question: { ask: async () => [{ labels: ["Allow"] }] },
      interceptors: [
        {
          name: "watch",
          beforeTool: ({ name }) => {
            seen.push(name);
            return name === "look" ? { block: "not here" } : undefined;
          },
        },
      ],
    });
    const { stream } = scripted(calls([{ name: "look" }, { name: "peek" }]), text("ok"));
    const child = await agent.childCreate({ name: "a", stream });
    expect(await ask(child)).toMatchObject({ kind: "refused" });
    const answers = toolResults(child.context.items()).map(textOf);
    expect(answers[0]).toContain("not here");
    expect(answers[1]).toContain("nobody is there");
    expect(seen).toEqual(["look", "peek"]);
  });
});
