import { Agent } from "@ashlar/agent";
import { contentText, messageUser } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { ask } from "../support/open-agent.js";
import { scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

const words = (agent: Agent): readonly string[] => agent.context.messages().map(contentText);

describe("resuming", () => {
  it("takes the project's newest session that is no child's", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const parent = await lab.open(env, { session: { id: "parent" } });
    await ask(parent);
    const child = await lab.open(env, { session: { id: "child", childOf: "parent" } });
    await ask(child);
    expect(child.session).toMatchObject({ parent: { session: "parent" }, settings: { child: true } });
    const other = await lab.project("two");
    await ask(await lab.open(other, { session: { id: "other" } }));
    await Promise.all([parent.close(), child.close()]);
    expect((await lab.open(env, { session: { resume: "latest" } })).session?.id).toBe("parent");
    const empty = await lab.project("three");
    await expect(lab.open(empty, { session: { resume: "latest" } })).rejects.toMatchObject({
      kind: "missing",
    });
  });

  it("is refused for another project, and names both; a fork is not", async () => {
    const lab = await sessionLab();
    const [one, two] = [await lab.project("one"), await lab.project("two")];
    const agent = await lab.open(one, { session: { id: "mine" } });
    await ask(agent, "hello");
    await agent.close();
    await expect(lab.open(two, { session: { resume: "mine" } })).rejects.toMatchObject({
      kind: "project",
      details: { session: "mine", cwd: one.cwd, folder: two.cwd },
      message: expect.stringContaining(two.cwd),
    });
    const fork = await lab.open(two, { session: { fork: "mine", id: "copy", name: "Copy" } });
    await ask(fork, "more");
    expect(fork.session).toMatchObject({ id: "copy", name: "Copy", cwd: two.cwd });
    expect(fork.session?.parent?.session).toBe("mine");
    expect(words(fork)).toEqual(["hello", "ok", "more", "ok"]);
    expect(words(await lab.open(one, { session: { resume: "mine" } }))).toEqual(["hello", "ok"]);
    await expect(
      two.agentOpen({ model: "nobody/none", session: { fork: "mine", id: "void" } }),
    ).rejects.toMatchObject({ kind: "usage" });
    await expect((await two.sessions()).find("void")).rejects.toMatchObject({ kind: "missing" });
  });

  it("takes options that are given before those that were kept", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, {
      model: "lab/one",
      name: "mason",
      description: "old",
      tools: [],
      can: { write: false },
      session: { id: "s" },
    });
    await ask(agent);
    await agent.close();
    const same = await lab.open(env, { session: { resume: "s" } });
    expect(same).toMatchObject({ name: "mason", description: "old", model: "lab/one" });
    expect(same.can.write).toBe(false);
    expect((await same.tools).size).toBe(0);
    await same.close();
    const given = await lab.open(env, {
      model: "lab/two",
      name: "carver",
      description: "new",
      can: { write: true },
      session: { resume: "s" },
    });
    expect(given).toMatchObject({ name: "carver", description: "new", model: "lab/two" });
    await ask(given);
    await given.close();
    // The model that answered last is the session's, and that of its fork.
    expect((await lab.open(env, { session: { resume: "s" } })).model).toBe("lab/two");
    expect(await lab.open(env, { session: { fork: "s" } })).toMatchObject({
      model: "lab/two",
      description: "old",
    });
  });

  it("is possible however much the agent had to say of itself", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const description = "words é ".repeat(50_000);
    const agent = await lab.open(env, { description, session: { id: "s" } });
    await ask(agent);
    await agent.close();
    expect(await (await env.sessions()).list()).toMatchObject([{ id: "s", preview: "hello" }]);
    const again = await lab.open(env, { session: { resume: "latest" } });
    expect(again.description).toBe(description);
  });

  it("leaves out of what was stored what cannot be right", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const settings = {
      name: "system admin",
      model: 5,
      thinking: "hard",
      tools: ["read", 7],
      can: { write: "no" },
    };
    const store = await (await env.sessions()).create({ id: "s", cwd: env.cwd, settings });
    await store.close();
    const agent = await lab.open(env, { session: { resume: "s" } });
    expect(agent.name).toMatch(/^agent-\d+$/);
    expect(agent.can.write).toBe(true);
    await ask(agent);
  });

  it("keeps what lies behind a compaction for undo only when it is asked to", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: { id: "s" } });
    for (const prompt of ["one", "two"]) await ask(agent, prompt);
    agent.context.compact({ firstKept: 2, summary: messageUser("one was said") });
    await agent.close();
    const lean = await lab.open(env, { session: { resume: "s" } });
    expect([lean.context.undo(), words(lean)[0]]).toEqual([false, "one was said"]);
    await lean.close();
    const whole = await lab.open(env, { session: { resume: "s", whole: true } });
    expect([whole.context.undo(), words(whole)]).toEqual([true, ["one", "ok", "two", "ok"]]);
  });

  it("works for the safe view of an Env, and its agent changes nothing", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    // The type of the view says less than it has: a layer's members are there as well.
    const safe = env.safe as typeof env;
    const agent = await safe.agentOpen({ stream: scripted(text("ok")).stream, session: { id: "s" } });
    await ask(agent);
    expect([agent.can.write, agent.session?.id]).toEqual([false, "s"]);
    await agent.close();
    expect(words(await lab.open(env, { session: { resume: "s" } }))).toContain("hello");
  });

  it("goes on with the default when the session's model is gone, and says so once", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const repository = await env.sessions();
    const store = await repository.create({
      id: "old",
      cwd: env.cwd,
      settings: { model: "gone/away", thinking: 7, tools: "all", can: { write: "yes" } },
    });
    await store.close();
    const agent = await env.agentOpen({ session: { resume: "old" } });
    expect(agent.model).toBe("lab/two");
    const notices: string[] = [];
    agent.onEvent(Agent.EVENT.LOG, (message) => notices.push(message));
    for (const prompt of ["hello", "again"]) {
      agent.send(prompt);
      expect(await agent.run()).toMatchObject({ kind: "network" });
    }
    expect(notices.filter((message) => message.includes("gone/away"))).toHaveLength(1);
    await agent.close();
  });

  it("is refused while somebody else writes, with who", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: { id: "s" } });
    await ask(agent);
    await expect(lab.open(env, { session: { resume: "s" } })).rejects.toMatchObject({
      kind: "locked",
      details: { pid: process.pid },
    });
    await agent.close();
    await (await lab.open(env, { session: { resume: "s" } })).close();
  });
});
