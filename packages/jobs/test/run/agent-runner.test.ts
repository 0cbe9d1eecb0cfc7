import { type Agent, AgentEnv } from "@ashlar/agent";
import { toolsRoot as workerTools } from "@ashlar/agent/tools";
import type { Script } from "@ashlar/provider-test";
import { toolsRoot as standardTools } from "@ashlar/tools-std";
import { describe, expect, it } from "vitest";
import { createAgentRunner } from "../../src/run/agent-runner.js";
import type { JobEnd } from "../../src/run/task-runner.js";
import type { Task } from "../../src/task/task.js";
import { toolsRoot as jobsTools } from "../../src/tools-root.js";
import { type ScriptedEnvOptions, scriptedEnv } from "../support/scripted-env.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const TASK: Task = {
  id: "a.md",
  filename: "a.md",
  prompt: "Do it.",
  enabled: true,
  schedule: { kind: "once" },
  model: "test/script",
};

interface Ran {
  readonly end: JobEnd;
  readonly agent: Agent;
  readonly env: AgentEnv;
}

async function runTask(
  facts: Partial<Task>,
  options: ScriptedEnvOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const env = await scriptedEnv(await temporaryFolder(), options);
  const agents: Agent[] = [];
  env.onEvent(AgentEnv.EVENT.AGENT_ADDED, ({ agent }) => agents.push(agent));
  const end = await createAgentRunner({ env }).run({ ...TASK, ...facts }, { session: "job-1", signal });
  const [agent] = agents;
  if (agent === undefined) throw new Error(`no agent was made: ${end.error}`);
  return { end, agent, env };
}

const ANSWER: Script = [[{ text: "done" }]];
const SLOW: Script = [[{ delay: 20_000 }, { text: "late" }]];

describe("a job's agent", () => {
  it("answers the prompt in a session of its own", async () => {
    const { end, agent, env } = await runTask({}, { script: ANSWER });
    expect(end).toEqual({ outcome: "completed", exitCode: 0 });
    expect(agent.session?.id).toBe("job-1");
    const [info] = await (await env.sessions()).list({ cwd: env.cwd });
    expect(info).toMatchObject({ id: "job-1", name: "a.md" });
    expect(agent.closed).toBe(true);
  });

  it("is ended by its timeout", async () => {
    const { end } = await runTask({ timeoutMs: 100 }, { script: SLOW });
    expect(end).toEqual({
      outcome: "timed-out",
      error: expect.stringContaining("timeout of 0.1 s"),
      exitCode: 6,
    });
  });

  it("has time where its timeout is longer than a timer of the system", async () => {
    const { end } = await runTask(
      { timeoutMs: 60 * 86_400_000 },
      { script: [[{ delay: 100 }, { text: "done" }]] },
    );
    expect(end.outcome).toBe("completed");
  });

  it("is ended by a cancel", async () => {
    const { end } = await runTask({}, { script: SLOW }, AbortSignal.abort());
    expect(end).toMatchObject({ outcome: "cancelled", exitCode: 130 });
  });

  it("is blocked by a question, and asks no second one", async () => {
    const question = {
      question: "Red or blue?",
      header: "Colour",
      options: ["Red", "Blue"].map((label) => ({ label, description: label })),
    };
    const script: Script = [
      [{ toolCall: { name: "question", arguments: { questions: [question] } } }],
      [{ text: "Red." }],
    ];
    const { end } = await runTask({}, { script, tools: [standardTools] });
    expect(end).toEqual({ outcome: "blocked", error: "it asked: Red or blue?", exitCode: 7 });
  });

  it("is blocked where a rule wants a person asked", async () => {
    const script: Script = [
      [{ toolCall: { name: "note", arguments: { action: "list" } } }],
      [{ text: "Well." }],
    ];
    const settings = { permissions: [{ tool: "note", action: "ask" }] };
    const { end } = await runTask({}, { script, settings, tools: [standardTools] });
    expect(end).toMatchObject({ outcome: "blocked", exitCode: 7 });
  });

  it("fails by its budget, which a task may lower", async () => {
    const script: Script = [[{ toolCall: { name: "note", arguments: { action: "list" } } }]];
    const { end } = await runTask({ budget: { requests: 2 } }, { script, tools: [standardTools] });
    expect(end).toEqual({
      outcome: "failed",
      error: expect.stringContaining("budget of requests"),
      exitCode: 6,
    });
  });

  it("fails with its provider's words", async () => {
    const { end } = await runTask(
      {},
      { script: [[{ error: { message: "no such thing", kind: "provider", status: 404 } }]] },
    );
    expect(end).toMatchObject({
      outcome: "failed",
      exitCode: 4,
      error: expect.stringContaining("no such thing"),
    });
  });

  it("is blocked by a server that wants a login", async () => {
    const { end } = await runTask(
      {},
      { script: [[{ error: { message: "log in", kind: "auth", status: 401 } }]] },
    );
    expect(end).toMatchObject({ outcome: "blocked", exitCode: 2 });
  });

  it("has no network where its task says so", async () => {
    expect((await runTask({ network: "none" }, { script: ANSWER })).agent.can.network).toBe(false);
    expect((await runTask({}, { script: ANSWER })).agent.can.network).toBe(true);
  });

  it("may make jobs and workers only where its task names the tools", async () => {
    const options = { script: ANSWER, tools: [standardTools, jobsTools, workerTools] };
    const names = async (facts: Partial<Task>): Promise<readonly string[]> => {
      const { agent } = await runTask(facts, options);
      return [...(await agent.tools).keys()];
    };
    const all = await names({});
    expect(all).toContain("read");
    expect(all.filter((name) => /^(?:job|worker)-/u.test(name))).toEqual([]);
    expect(await names({ tools: ["*"] })).toEqual(all);
    expect(await names({ tools: ["*", "job-schedule"] })).toEqual([...all, "job-schedule"].sort());
    expect(await names({ tools: ["read", "job-schedule"] })).toEqual(["job-schedule", "read"]);
    expect(await names({ tools: ["worker-create"] })).toEqual(["worker-create"]);
    expect((await runTask({}, options)).agent.can.spawn).toBe(false);
    expect((await runTask({ tools: ["*", "worker-create"] }, options)).agent.can.spawn).toBe(true);
  });
});

const { model: _model, ...WITHOUT_MODEL } = TASK;

describe("what cannot begin", () => {
  it.each([
    { why: "no model is known", task: WITHOUT_MODEL, says: "no model was named" },
    {
      why: "its endpoint is not there",
      task: { ...TASK, model: "nowhere/model" },
      says: 'no endpoint "nowhere"',
    },
    { why: "its tool is not there", task: { ...TASK, tools: ["read", "fly"] }, says: 'no tool "fly"' },
  ])("is said before anything is claimed: $why", async ({ task, says }) => {
    const env = await scriptedEnv(await temporaryFolder(), { script: ANSWER, tools: [standardTools] });
    expect(await createAgentRunner({ env }).problem(task)).toContain(says);
  });

  it("is nothing where the caller names a model", async () => {
    const env = await scriptedEnv(await temporaryFolder(), { script: ANSWER });
    expect(await createAgentRunner({ env, model: "test/script" }).problem(WITHOUT_MODEL)).toBeUndefined();
  });
});
