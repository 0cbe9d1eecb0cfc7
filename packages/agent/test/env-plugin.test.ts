import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Agent, AgentEnv } from "@ashlar/agent";
import { contentText } from "@ashlar/context";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, openAgent, temporaryFolder } from "./support/open-agent.js";
import { scripted, text } from "./support/scripted-stream.js";

describe("what the agent layer adds to an Env", () => {
  it("tells of agents that come and go, and of which", async () => {
    const { env } = await openAgent({ stream: scripted(text("ok")).stream });
    const heard: [string, Agent][] = [];
    env.onEvent(AgentEnv.EVENT.AGENT_ADDED, ({ agent }) => heard.push(["added", agent]));
    env.onEvent(AgentEnv.EVENT.AGENT_REMOVED, ({ agent }) => heard.push(["removed", agent]));
    const agent = env.agentCreate({ stream: scripted(text("ok")).stream });
    await agent.close();
    await agent.close();
    expect(heard).toEqual([
      ["added", agent],
      ["removed", agent],
    ]);
  });

  it("describes its settings with the layers that may set them", async () => {
    const { env } = await openAgent({ stream: scripted(text("ok")).stream });
    const schema = env.settingsSchema();
    for (const key of ["context", "retry", "budget", "maxActive", "system"]) {
      expect(schema[key]?.description, key).toMatch(/\w/);
      expect(schema[key]?.owner).toBe("@ashlar/agent");
    }
    expect(schema.retry?.layers).toContain("project");
    expect(schema.budget?.layers ?? []).not.toContain("project");
    expect(schema.system?.layers ?? []).not.toContain("project");
  });

  it("says of each model how many agents may work with it", async () => {
    const one = { maxActive: 2 };
    const { env } = await openAgent({
      stream: scripted(text("ok")).stream,
      envSettings: {
        maxActive: 6,
        providers: {
          lab: {
            url: "http://127.0.0.1:9",
            maxActive: 4,
            models: { one, two: {}, none: { maxActive: false } },
          },
        },
      },
    });
    const models = env.models(true);
    expect(models.get("lab/one")).toMatchObject({ maxActive: 2, active: 0, available: 2 });
    expect(models.get("lab/two")).toMatchObject({ maxActive: 4 });
    expect(models.get("lab/none")).toMatchObject({ maxActive: 0, available: 0 });
  });
});

describe("the system prompt", () => {
  async function open(settings: object = {}) {
    const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
    await mkdir(join(home, "config"));
    const env = await AgentEnv.open(folder, {
      collect: false,
      environment: { ASHLAR_HOME: home },
      settings: { ...settings },
    });
    onTestFinished(() => env.close());
    const write = (where: "user" | "project", words: string) =>
      writeFile(join(where === "user" ? join(home, "config") : folder, "AGENTS.md"), words);
    return { env, folder, home, write };
  }

  it("is the setting, the user's file and the project's, read now", async () => {
    const { env, write } = await open({ system: "Be brief." });
    expect(await env.systemPrompt()).toEqual(["Be brief."]);
    await write("user", "I like tests.\n");
    await write("project", "Use tabs.\n");
    expect(await env.systemPrompt()).toEqual(["Be brief.", "I like tests.", "Use tabs."]);
    await write("user", " \n");
    expect(await env.systemPrompt()).toEqual(["Be brief.", "Use tabs."]);
  });

  it("reads the same file once", async () => {
    const { env, folder, home, write } = await open({ system: "./AGENTS.md" });
    await write("project", "Use tabs.");
    await symlink(join(folder, "AGENTS.md"), join(home, "config", "AGENTS.md"));
    expect(await env.systemPrompt()).toEqual(["Use tabs."]);
  });

  it("says when the file that the setting names is not there", async () => {
    const { env } = await open({ system: "prompts/missing.md" });
    await expect(env.systemPrompt()).rejects.toMatchObject({ kind: "settings", details: { key: "system" } });
  });

  it("leads a new conversation as one message, and only a new one", async () => {
    const { env, write } = await open({ system: "Be brief." });
    await write("project", "Use tabs.");
    const { stream, requests } = scripted(text("ok"));
    const fresh = env.agentCreate({ stream, model: "lab/one" });
    await ask(fresh);
    await ask(fresh, "again");
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([1, 2, 3, 2]);
    const [first] = fresh.context.messages();
    expect(first && contentText(first)).toBe("Be brief.\n\nUse tabs.");
    const resumed = env.agentCreate({
      stream,
      context: [
        { type: 2, content: [{ type: "text", text: "a" }] },
        { type: 3, content: [{ type: "text", text: "b" }] },
      ],
    });
    await ask(resumed, "go on");
    expect(requests[2]?.context.map(({ type }) => type)).toEqual([2, 3, 2]);
    const own = env.agentCreate({ stream, systemPrompt: "Only this." });
    await ask(own);
    expect(requests[3]?.context[0]).toMatchObject({ type: 1, content: [{ text: "Only this." }] });
    const none = env.agentCreate({ stream, systemPrompt: false });
    await ask(none);
    expect(requests[4]?.context.map(({ type }) => type)).toEqual([2]);
    await Promise.all(env.agents().map((agent) => agent.close()));
  });
});
