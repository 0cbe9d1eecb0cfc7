import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, AgentEnv } from "@ashlar/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { safeTool } from "../support/call-tools.js";
import { ask, openAgent, temporaryFolder } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const toolDescriptions = { a: safeTool(() => "A") };
const unsafe = { description: "Changes.", inputSchema: { type: "object" }, fn: () => "changed" };

interface HookLab {
  readonly env: AgentEnv;
  readonly folder: string;
  readonly home: string;
  /** Writes hook files of the user, by name. */
  readonly put: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly open: (options?: object) => Agent;
}

/** A project and a user with hook files. What they write with `globalThis.heard.push` comes back in `heard`. */
async function openHookLab(files: Readonly<Record<string, string>> = {}): Promise<HookLab> {
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  const hooks = join(home, "config", "hooks");
  const put = async (more: Readonly<Record<string, string>>): Promise<void> => {
    await mkdir(hooks, { recursive: true });
    await writeFile(join(hooks, "package.json"), '{"type":"module"}');
    for (const [name, content] of Object.entries(more)) await writeFile(join(hooks, name), content);
  };
  await put(files);
  const env = await AgentEnv.open(folder, {
    collect: false,
    environment: { ASHLAR_HOME: home },
    tools: [{ ...toolDescriptions, b: unsafe }],
  });
  onTestFinished(async () => {
    for (const agent of env.agents()) await agent.close();
    await env.close();
  });
  const open = (options: object = {}): Agent =>
    env.agentCreate({
      stream: scripted(calls([{ name: "a" }]), text("ok")).stream,
      systemPrompt: false,
      ...options,
    });
  return { env, folder, home, put, open };
}

/** Collects what hook files say through `globalThis`. */
function listen(): unknown[] {
  const heard: unknown[] = [];
  Object.assign(globalThis, { heard });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, "heard");
  });
  return heard;
}

const LOUD = `export const hooks = () => ({
  TOOL_RESULT: ({ result }, agent) => { globalThis.heard.push(["result", result.callId, agent.name]); },
  RESULT: ({ kind }) => { globalThis.heard.push(["end", kind]); },
});`;
const logOf = (agent: Agent): string[] => {
  const log: string[] = [];
  agent.onEvent(Agent.EVENT.LOG, (message) => log.push(message));
  return log;
};

describe("an observer in a hook file", () => {
  it("hears the events of every agent of the Env, after them and never awaited", async () => {
    const heard = listen();
    const { open } = await openHookLab({ "loud.js": LOUD });
    const [first, second] = [open({ name: "first" }), open({ name: "second" })];
    await ask(first);
    await ask(second);
    await sleep(1);
    expect(heard).toEqual([
      ["result", "agent-1", "first"],
      ["end", "success"],
      ["result", "agent-1", "second"],
      ["end", "success"],
    ]);
  });

  it("is not read before the first run", async () => {
    const heard = listen();
    const { open } = await openHookLab({
      "eager.js": "globalThis.heard.push('read'); export const hooks = () => ({});",
    });
    const agent = open();
    await sleep(20);
    expect(heard).toEqual([]);
    await ask(agent);
    await ask(open());
    expect(heard).toEqual(["read"]);
  });

  it("that throws or rejects changes nothing, and is reported once for each event", async () => {
    const { open } = await openHookLab({
      "bad.js": `export const hooks = () => ({
        TOOL_EXECUTE: () => { throw new Error("mine"); },
        RESULT: async () => { throw new Error("mine too"); },
      });`,
    });
    const plain = await openAgent({
      stream: scripted(calls([{ name: "a" }]), text("ok")).stream,
      toolDescriptions,
    });
    const expected = await ask(plain.agent);
    const agent = open();
    const log = logOf(agent);
    expect(await ask(agent)).toEqual(expected);
    expect(agent.context.items()).toEqual(plain.agent.context.items());
    await ask(agent);
    await sleep(1);
    expect(log).toEqual([
      expect.stringMatching(/^The observer of TOOL_EXECUTE in \/.*\/hooks\/bad\.js failed: mine$/),
      expect.stringMatching(/^The observer of RESULT in \/.*\/hooks\/bad\.js failed: mine too$/),
    ]);
  });

  it("that hangs holds nothing up", async () => {
    const { open } = await openHookLab({
      "hang.js": "export const hooks = () => ({ TOOL_EXECUTE: () => new Promise(() => {}) });",
    });
    expect(await ask(open())).toMatchObject({ kind: "success" });
  });

  it("hears of the agents that were there before, and of those that come and go", async () => {
    const heard = listen();
    const { open } = await openHookLab({
      "who.js": `export const hooks = (env) => ({
        AGENT_ADDED: ({ agent }, self) => { globalThis.heard.push(["came", agent.name, agent === self, env.cwd === agent.env.cwd]); },
        AGENT_REMOVED: ({ agent }) => { globalThis.heard.push(["went", agent.name]); },
      });`,
    });
    const [one, two] = [open({ name: "one" }), open({ name: "two" })];
    await ask(one);
    await open({ name: "three" }).close();
    await two.close();
    await sleep(1);
    expect(heard).toEqual([
      ["came", "one", true, true],
      ["came", "two", true, true],
      ["came", "three", true, true],
      ["went", "three"],
      ["went", "two"],
    ]);
  });

  it("leaves the others in place when its file is bad, and says what is wrong", async () => {
    const heard = listen();
    const { open } = await openHookLab({
      "a-loud.js": LOUD,
      "b-name.js": "export const hooks = () => ({ TOOL_RESLT: () => {} });",
      "c-value.js": "export const hooks = () => ({ RESULT: 1 });",
      "d-empty.js": "export const other = 1;",
      "e-throws.js": "export const hooks = () => { throw new Error('no'); };",
    });
    const agent = open({ name: "one" });
    const log = logOf(agent);
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    expect(heard).toHaveLength(2);
    expect(log).toEqual([
      expect.stringContaining('b-name.js: hooks: "TOOL_RESLT" is no event. Did you mean TOOL_RESULT?'),
      expect.stringContaining("c-value.js: hooks: RESULT must be a function"),
      expect.stringContaining("d-empty.js: it exports neither hooks(env) nor interceptors(env)"),
      expect.stringContaining("e-throws.js: no"),
    ]);
  });

  it("is replaced by a refresh; a file that fails then keeps its earlier version", async () => {
    const heard = listen();
    const { env, open, put } = await openHookLab({
      "loud.js": LOUD,
      "other.js": LOUD.replaceAll("end", "other"),
    });
    const agent = open({ name: "one" });
    await ask(agent);
    heard.length = 0;
    await put({ "loud.js": LOUD.replaceAll("end", "new end"), "other.js": "syntax error here" });
    const problems = await env.hooksRefresh();
    expect(problems).toMatchObject([{ file: expect.stringContaining("other.js") }]);
    await ask(agent);
    await sleep(1);
    expect(heard).toEqual([
      ["new end", "success"],
      ["other", "success"],
    ]);
  });

  it("is read as it is now by an Env that is opened later", async () => {
    const heard = listen();
    const { env, open, put, folder, home } = await openHookLab({ "loud.js": LOUD });
    await ask(open({ name: "one" }));
    await env.close();
    await put({ "loud.js": LOUD.replaceAll('"end"', '"later end"') });
    const later = await AgentEnv.open(folder, { collect: false, environment: { ASHLAR_HOME: home } });
    onTestFinished(() => later.close());
    const { stream } = scripted(text("ok"));
    const agent = later.agentCreate({ stream, systemPrompt: false });
    onTestFinished(() => agent.close());
    await ask(agent);
    await sleep(1);
    expect(heard.at(-1)).toEqual(["later end", "success"]);
  });

  it("of the project is never read", async () => {
    const heard = listen();
    const { open, folder } = await openHookLab();
    await mkdir(join(folder, "hooks"));
    await writeFile(join(folder, "hooks", "evil.mjs"), "globalThis.heard.push('read');");
    await ask(open());
    expect(heard).toEqual([]);
  });
});

describe("observers in code", () => {
  it("hear every agent of the Env there is and will be, until they are let go", async () => {
    const { env, open } = await openHookLab();
    const heard: string[] = [];
    const before = open({ name: "before" });
    const stop = env.observe({
      RESULT: ({ kind }, agent) => void heard.push(`${agent.name} ${kind}`),
      [Agent.EVENT.TOOL_EXECUTE]: (_call: unknown, agent: Agent) => void heard.push(`${agent.name} calls`),
    });
    await ask(before);
    await ask(open({ name: "after" }));
    stop();
    stop();
    await ask(before);
    await sleep(1);
    expect(heard).toEqual(["before calls", "before success", "after calls", "after success"]);
  });

  it("are refused when they name no event", async () => {
    const { env } = await openHookLab();
    expect(() => env.observe({ RESULTS: () => undefined } as never)).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining("Did you mean RESULT?") }),
    );
    expect(() => env.observe({ [Symbol("Agent.EVENT.RESULT")]: () => undefined })).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: expect.stringContaining("Symbol(Agent.EVENT.RESULT) is no event"),
      }),
    );
  });
});

describe("an interceptor in a hook file", () => {
  const VETO = `export const interceptors = () => ({
    beforeTool: ({ name }) => (name === "a" ? { block: "not with this user" } : undefined),
  });`;

  it("comes before those of the code", async () => {
    const heard = listen();
    const { open } = await openHookLab({
      "one.js":
        "export const interceptors = () => ({ beforeTool: () => { globalThis.heard.push('file'); } });",
    });
    await ask(open({ interceptors: [{ beforeTool: () => void heard.push("code") }] }));
    expect(heard).toEqual(["file", "code"]);
  });

  it("guards calls of the model and by hand, and is named by its file", async () => {
    const { open } = await openHookLab({
      "veto.js": VETO,
      "throws.js": "export const interceptors = () => ({ afterTool: () => { throw new Error('no'); } });",
    });
    const agent = open();
    expect(await agent.toolCall("a")).toMatchObject({ refused: "not with this user" });
    expect(await ask(agent)).toMatchObject({ kind: "refused", exitCode: 7, requests: 2 });
  });

  it.each([
    { why: "cannot be loaded", file: "syntax error here" },
    {
      why: "throws when it is asked for its hooks",
      file: "export const interceptors = () => { throw new Error('no'); };",
    },
    {
      why: "has a typo",
      file: "export const interceptors = () => ({ beforetool: () => ({ block: 'no' }) });",
    },
  ])("that $why forbids every change: nobody knows what it would have forbidden", async ({ file }) => {
    const { open } = await openHookLab({ "guard.js": file });
    const agent = open({ tools: ["a", "b"] });
    const log = logOf(agent);
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    expect(log).toHaveLength(1);
    expect(log[0]).toContain("guard.js");
    const { refused } = await agent.toolCall("b");
    expect(refused).toMatch(
      /^the hook file .*guard\.js could not be loaded, so what it forbids is not known$/,
    );
  });

  it("counts from the next run on when it was changed", async () => {
    const { env, open, put } = await openHookLab({
      "veto.js": "export const interceptors = () => ({ afterTool: () => {} });",
    });
    const agent = open();
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    await put({ "veto.js": VETO });
    expect(await env.hooksRefresh()).toEqual([]);
    expect(await agent.toolCall("a")).toMatchObject({ refused: "not with this user" });
    await put({ "veto.js": "syntax error here" });
    expect(await env.hooksRefresh()).toHaveLength(1);
    expect(await agent.toolCall("a")).toMatchObject({ refused: "not with this user" });
  });

  it("is not waited for at its import once the run is cancelled", async () => {
    const { open } = await openHookLab({ "slow.js": "await new Promise(() => {});" });
    const agent = open();
    agent.send("go");
    const running = agent.run();
    await sleep(20);
    const began = Date.now();
    agent.cancel();
    expect(await running).toMatchObject({ kind: "cancelled", requests: 0 });
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(agent.pending).toBe(1);
  });
});
