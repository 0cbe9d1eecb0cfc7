import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BeforeTool, Interceptor } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { callTools, safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { noSandboxHere, openSandboxed } from "../support/sandboxed-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const missing = await noSandboxHere();
const standardTools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);
const schema = {
  type: "object",
  properties: { n: { type: "integer" }, timeout: { type: "number" } },
  required: ["n"],
  additionalProperties: false,
};
const add = safeTool(({ n }: { n: number }) => `got ${n}`, { inputSchema: schema });
const before = (beforeTool: Interceptor["beforeTool"], name = "guard"): Interceptor => ({
  name,
  ...(beforeTool !== undefined && { beforeTool }),
});
const callAdd = (interceptors: readonly Interceptor[], rest: object = {}) =>
  callTools([{ name: "add", args: { n: 1 } }], { add }, { interceptors, ...rest });

it.skipIf(missing !== undefined)(
  "vetoes bash: the model is told why, nothing ran, and the run goes on",
  async () => {
    const { stream, requests } = scripted(
      calls([
        { name: "bash", args: { command: "touch made" } },
        { name: "read", args: { path: "a.txt" } },
      ]),
      text("then not"),
    );
    const { agent, folder, events } = await openSandboxed({
      roots: [standardTools],
      files: { "a.txt": "one\n" },
      stream,
      interceptors: [
        before(({ name }) => (name === "bash" ? { block: "shell commands are not wanted here" } : undefined)),
      ],
    });
    const result = await ask(agent);
    expect(result).toMatchObject({ kind: "refused", exitCode: 7, requests: 2, status: "completed" });
    expect(result.refused).toEqual([{ tool: "bash", reason: "shell commands are not wanted here" }]);
    const [bash, read] = toolResults(requests[1]?.context ?? []);
    expect(bash && textOf(bash)).toBe("bash was not run: shell commands are not wanted here.");
    expect(bash?.error).toBe(true);
    expect(read && textOf(read)).toContain("one");
    expect(events.filter(({ type }) => type === "tool_execute")).toMatchObject([{ name: "read" }]);
    await expect(access(join(folder, "made"))).rejects.toMatchObject({ code: "ENOENT" });
  },
);

describe("what a hook before a call sees", () => {
  it("is the call as it would run, frozen", async () => {
    const seen: BeforeTool[] = [];
    const { agent } = await callAdd([before((call) => void seen.push(call))]);
    expect(seen).toMatchObject([{ name: "add", callId: "agent-1", arguments: { n: 1 }, readOnly: true }]);
    expect(seen[0]?.agent).toBe(agent);
    expect(seen[0]?.question).toBeNull();
    expect(Object.isFrozen(seen[0]?.arguments)).toBe(true);
  });

  it("comes in order of registration, with what the ones before made of it", async () => {
    const heard: string[] = [];
    const step = (name: string) =>
      before(({ arguments: args }) => {
        const { n } = args as { n: number };
        heard.push(`${name} ${n}`);
        return { arguments: { n: n + 1 } };
      }, name);
    const { texts } = await callAdd([step("a"), step("b")]);
    expect(heard).toEqual(["a 1", "b 2"]);
    expect(texts[0]).toContain("got 3");
  });

  it("is asked behind the barrier of the call, when the calls before have run", async () => {
    const heard: string[] = [];
    const tool = (name: string) =>
      safeTool(
        async () => {
          await sleep(10);
          heard.push(`${name} ran`);
          return "ok";
        },
        // What the arguments may turn into something that changes is never run beside others.
        { readOnly: () => true },
      );
    await callTools(
      [{ name: "one" }, { name: "two" }],
      { one: tool("one"), two: tool("two") },
      {
        interceptors: [before(({ name }) => void heard.push(`${name} asked`))],
      },
    );
    expect(heard).toEqual(["one asked", "one ran", "two asked", "two ran"]);
  });

  it("is no call that does not fit its schema, and none of a tool that is not there", async () => {
    let asked = 0;
    const hook = before(() => {
      asked += 1;
    });
    await callTools([{ name: "add", args: {} }, { name: "none" }], { add }, { interceptors: [hook] });
    expect(asked).toBe(0);
  });

  it("may be put to the person in front, while the clock of the hook stands", async () => {
    const { texts } = await callAdd(
      [
        before(async ({ question }) => {
          const [answer] = (await question?.ask([{ question: "Sure?", header: "Add", options: [] }])) ?? [];
          return answer !== undefined && "other" in answer ? undefined : { block: "the person said no" };
        }),
      ],
      {
        toolCall: { timeout: 40 },
        question: {
          ask: async () => {
            await sleep(120);
            return [{ other: "yes" }];
          },
        },
      },
    );
    expect(texts).toEqual(["got 1"]);
  });
});

describe("arguments that a hook changed", () => {
  it("are the ones that run, and the model is told", async () => {
    const { texts, events } = await callAdd([before(() => ({ arguments: { n: 5 } }))]);
    expect(texts[0]).toMatch(/^got 5\n+Note: the hook "guard" changed the arguments\.$/);
    expect(events.find(({ type }) => type === "tool_execute")).toMatchObject({ arguments: { n: 5 } });
  });

  it.each([
    { why: "a wrong type", args: { n: "many" }, says: "n: wanted integer" },
    { why: "a missing field", args: {}, says: "n is missing" },
    { why: "an unknown field for a tool that forbids it", args: [1], says: "wanted a JSON object" },
    { why: "what is no JSON", args: { n: () => 1 }, says: "expected JSON data" },
  ])("refuse the call when they do not fit: $why", async ({ args, says }) => {
    const { texts, result, events } = await callAdd([before(() => ({ arguments: args }))]);
    expect(texts[0]).toMatch(/^add was not run: /);
    expect(texts[0]).toContain(says);
    expect(result).toMatchObject({ kind: "refused", requests: 2 });
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  });

  it("are a copy: what the hook does to its own later changes nothing", async () => {
    const args = { n: 2 };
    const { texts } = await callAdd([
      before(() => ({ arguments: args })),
      before(() => {
        args.n = 99;
      }),
    ]);
    expect(texts[0]).toContain("got 2");
  });

  it("keep the time that the model asked for", async () => {
    const { texts } = await callTools(
      [{ name: "slow", args: { n: 1, timeout: 20 } }],
      { slow: safeTool(() => new Promise(() => {}), { inputSchema: schema }) },
      { interceptors: [before(({ arguments: args }) => ({ arguments: { ...(args as object), n: 2 } }))] },
    );
    expect(texts[0]).toContain("did not finish within 20 ms");
  });

  it("are what the permission rules look at", async () => {
    const rules = [{ tool: "add", arguments: { n: "7" }, action: "deny" }];
    const deny = { envSettings: { permissions: rules } };
    const plain = await callAdd([before(() => undefined)], deny);
    expect(plain.texts).toEqual(["got 1"]);
    const changed = await callAdd([before(() => ({ arguments: { n: 7 } }))], deny);
    expect(changed.texts[0]).toContain("add was not run");
  });
});

describe("a hook before a call that fails", () => {
  it.each([
    { why: "throws", hook: () => Promise.reject(new Error("no luck")), says: "failed: no luck" },
    {
      why: "throws at once",
      hook: () => {
        throw new TypeError("my mistake");
      },
      says: "failed: my mistake",
    },
    { why: "hangs", hook: () => new Promise<undefined>(() => {}), says: "gave no answer within 50 ms" },
    { why: "makes a typo", hook: () => ({ blok: "no" }) as never, says: "write block" },
    { why: "blocks without a reason", hook: () => ({ block: "" }), says: "a text that says why" },
    { why: "says true", hook: () => true as never, says: "its reply must be an object" },
  ])("refuses this call and no other when it $why", async ({ hook, says }) => {
    const { texts, result, events } = await callTools(
      [{ name: "add", args: { n: 1 } }, { name: "other" }],
      { add, other: safeTool(() => "other ran") },
      {
        toolCall: { timeout: 50 },
        interceptors: [before((call) => (call.name === "add" ? hook() : undefined))],
      },
    );
    expect(texts[0]).toContain('add was not run: the hook beforeTool of "guard"');
    expect(texts[0]).toContain(says);
    expect(texts[1]).toBe("other ran");
    expect(result).toMatchObject({ kind: "refused", exitCode: 7, requests: 2 });
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  });

  it("is not waited for once the run is cancelled, and its call does not run", async () => {
    let ran = 0;
    const tool = safeTool(() => {
      ran += 1;
      return "ran";
    });
    const { stream } = scripted(calls([{ name: "a" }, { name: "a" }]));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { a: tool },
      interceptors: [
        before(({ signal }) => {
          setTimeout(() => agent.cancel(), 5);
          return new Promise((resolve) =>
            signal.addEventListener("abort", () => sleep(50).then(() => resolve(undefined))),
          );
        }),
      ],
    });
    expect(await ask(agent)).toMatchObject({ kind: "cancelled", exitCode: 130 });
    await sleep(80);
    expect(ran).toBe(0);
    expect(toolResults(agent.context.items()).map(textOf)).toEqual([
      "The run was cancelled before this call ran.",
      "The run was cancelled before this call ran.",
    ]);
  });
});

it("ends a model that makes the same forbidden call for ever, like every loop", async () => {
  const { stream, requests } = scripted(calls([{ name: "add", args: { n: 1 } }]));
  const { agent } = await openAgent({
    stream,
    toolDescriptions: { add },
    interceptors: [before(() => ({ block: "never" }))],
  });
  expect(await ask(agent)).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "repeat" } });
  expect(requests).toHaveLength(8);
});

it("guards the calls of children, too", async () => {
  const { stream, requests } = scripted(calls([{ name: "add", args: { n: 1 } }]), text("ok"));
  const { agent } = await openAgent({
    stream,
    toolDescriptions: { add },
    interceptors: [before(({ agent: caller }) => ({ block: `not for ${caller.name}` }))],
  });
  const child = await agent.childCreate({ name: "helper" });
  expect(await ask(child)).toMatchObject({ kind: "refused", exitCode: 7 });
  const [result] = toolResults(requests[1]?.context ?? []);
  expect(result && textOf(result)).toBe("add was not run: not for helper.");
});

it("guards calls by hand as it guards those of a model", async () => {
  const { agent } = await openAgent({
    stream: scripted(text("ok")).stream,
    toolDescriptions: { add },
    interceptors: [before(() => ({ block: "not now" }))],
  });
  expect(await agent.toolCall("add", { n: 1 })).toMatchObject({ error: true, refused: "not now" });
});

it.each([
  {
    why: "a function that does not exist",
    given: [{ beforeTools: () => undefined }],
    says: 'Did you mean "beforeTool"?',
  },
  { why: "what is no function", given: [{ beforeTool: "no" }], says: "beforeTool must be a function" },
  { why: "nothing at all", given: [{ name: "idle" }], says: "at least one of beforeTool" },
  { why: "no list", given: { beforeTool: () => undefined }, says: "must be an array" },
])("refuses an interceptor with $why", async ({ given, says }) => {
  await expect(
    openAgent({ stream: scripted(text("ok")).stream, interceptors: given as never }),
  ).rejects.toMatchObject({ kind: "usage", message: expect.stringContaining(says) });
});
