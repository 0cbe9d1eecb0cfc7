import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AgentEnv } from "@ashlar/agent";
import { toolsRoot } from "@ashlar/agent/tools";
import { contentText } from "@ashlar/context";
import { Test } from "@ashlar/provider-test";
import { describe, expect, it, onTestFinished } from "vitest";
import { safeTool } from "../support/call-tools.js";
import { openTimers } from "../support/left-processes.js";
import { ask, temporaryFolder } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";
import { workerTools } from "../support/worker-tools.js";

describe("the sessions of children", () => {
  const look = safeTool(({ index }: { index: number }) => String(index));
  const endless = () => scripted(({ index }) => calls([{ name: "look", args: { index } }])).stream;

  it("stand below their parent's, while one budget stops all three and leaves nothing running", async () => {
    const lab = await sessionLab({ tools: { look } });
    const env = await lab.project();
    const timers = openTimers();
    const agent = await lab.open(env, { budget: { requests: 10 }, session: { name: "Lead" } });
    const parent = agent.session?.id;
    const children = await Promise.all(
      ["a", "b", "c"].map((name) => agent.childCreate({ name, stream: endless(), can: { write: false } })),
    );
    const results = await Promise.all(children.map((child) => ask(child, "look")));
    expect(results.map(({ exitCode, stop }) => [exitCode, stop?.rule])).toEqual(
      children.map(() => [6, "requests"]),
    );
    expect(results.reduce((sum, { requests }) => sum + requests, 0)).toBe(10);
    await agent.close();
    const sessions = await (await env.sessions()).list();
    expect(sessions).toHaveLength(4);
    const below = sessions.filter((session) => session.parent?.session === parent);
    expect(below.map(({ settings }) => settings)).toEqual(
      expect.arrayContaining(
        ["a", "b", "c"].map((name) => expect.objectContaining({ name, child: true, can: { write: false } })),
      ),
    );
    expect(env.agents()).toEqual([]);
    expect(openTimers()).toBeLessThanOrEqual(timers);
  });

  it("keep the parent's, even when only they were talked to, and go when nothing was said", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const silent = await lab.open(env);
    await silent.childCreate({ name: "nothing" });
    await silent.close();
    expect(await (await env.sessions()).list()).toEqual([]);
    const agent = await lab.open(env);
    await ask(await agent.childCreate({ name: "told" }));
    await agent.close();
    const sessions = await (await env.sessions()).list();
    expect(sessions.map(({ parent }) => parent?.session)).toEqual(
      expect.arrayContaining([undefined, agent.session?.id]),
    );
    expect(sessions).toHaveLength(2);
  });

  it("are closed, too, when the parent closes while they are made", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env);
    const refused = expect(agent.childCreate({ name: "late" })).rejects.toMatchObject({ kind: "closed" });
    await agent.close();
    expect(env.agents()).toEqual([]);
    await refused;
    expect(await (await env.sessions()).list()).toEqual([]);
    await expect(lab.open(env).then((next) => next.childCreate({ name: "late" }))).resolves.toBeDefined();
  });

  it("are kept nowhere when the parent's is not", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: false });
    const child = await agent.childCreate({ name: "a" });
    await ask(child);
    expect(child.session).toBeUndefined();
    await agent.close();
    expect(await (await env.sessions()).list()).toEqual([]);
  });
});

describe("the worker tools", () => {
  it("let a scripted model have a part of its task done, and use the answer", async () => {
    const project = join(await realpath(await temporaryFolder()), "project");
    await mkdir(project);
    const made = {
      workers: [{ name: "painter", model: "test/painter" }],
      prompt: "Which colour is the roof?",
    };
    const lead = [
      { toolCall: { name: "worker-create", arguments: made } },
      { text: "I wait for the painter." },
      { toolCall: { name: "worker-close", arguments: { workers: ["painter"] } } },
      { text: "The roof is blue." },
    ];
    const painter = [[{ delay: 50 }, { text: "It is blue." }]];
    const env = await AgentEnv.open(project, {
      layers: [],
      collect: false,
      environment: {},
      providers: { test: Test },
      tools: [workerTools],
      settings: {
        providers: {
          test: {
            provider: "test",
            url: "test://script",
            models: { lead: { script: lead }, painter: { script: painter } },
          },
        },
      },
    });
    onTestFinished(() => env.close());
    const agent = env.agentCreate({ model: "test/lead", can: { spawn: true }, systemPrompt: false });
    const result = await ask(agent, "Find out what colour the roof has.");
    expect(result).toMatchObject({ kind: "success", requests: 4 });
    const said = agent.context.messages().map(contentText);
    expect(said).toContain("Worker painter answered:\n\nIt is blue.");
    expect(said.at(-1)).toBe("The roof is blue.");
    expect([agent.children, agent.usage.inputTokens > 0]).toEqual([[], true]);
    await agent.close();
  });

  it("are there once their folder is given to an Env", async () => {
    const env = await AgentEnv.open(await temporaryFolder(), {
      layers: [],
      collect: false,
      environment: {},
      tools: [toolsRoot],
    });
    onTestFinished(() => env.close());
    expect(env.diagnostics).toEqual([]);
    const names = ["worker-close", "worker-create", "worker-message", "worker-status"];
    expect([...env.tools().keys()]).toEqual(names);
    expect([...env.tools(true).keys()]).toEqual(names);
    const agent = env.agentCreate({ stream: scripted(text("ok")).stream, systemPrompt: false });
    const status = await agent.toolCall("worker-status");
    expect(status.content).toEqual([{ type: "text", text: expect.stringContaining('"workers":[]') }]);
    await agent.close();
  });
});
