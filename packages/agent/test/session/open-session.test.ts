import { readdir } from "node:fs/promises";
import { Agent, type AgentOpenOptions } from "@ashlar/agent";
import {
  Context,
  contentText,
  createMemoryRepository,
  messageUser,
  type SessionRepository,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { ask, openAgent } from "../support/open-agent.js";
import { scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

const words = (agent: Agent): readonly string[] => agent.context.messages().map(contentText);

describe("a new session", () => {
  it("keeps what was said, and another agent goes on with it", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { model: "lab/one", description: "helps", thinking: "low" });
    await ask(agent, "first");
    const id = agent.session?.id;
    expect(agent.session).toMatchObject({
      cwd: env.cwd,
      preview: "first",
      settings: { model: "lab/one", description: "helps", thinking: "low" },
    });
    await agent.close();
    const { stream, requests } = scripted(text("second answer"));
    const again = await lab.open(env, { stream, session: { resume: "latest" } });
    expect(again.session?.id).toBe(id);
    expect(again).toMatchObject({ model: "lab/one", description: "helps" });
    await ask(again, "second");
    expect(words(again)).toEqual(["first", "ok", "second", "second answer"]);
    expect(requests[0]?.options.thinking).toBe("low");
    expect(again.usage.inputTokens).toBe(10);
    expect(again.context.stats).toMatchObject({ messages: 4, requests: 2, model: "lab/one" });
  });

  it("has the id and the name it was given, and begins with the items it was given", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const items = [{ type: 2, content: [{ type: "text", text: "before" }] }] as const;
    const agent = await lab.open(env, { context: items, session: { id: "mine", name: "Roof" } });
    await ask(agent, "now");
    expect(agent.session).toMatchObject({ id: "mine", name: "Roof" });
    await agent.close();
    const again = await lab.open(env, { session: { resume: "min" } });
    expect(words(again)).toEqual(["before\n\nnow", "ok"]);
    expect(again.context.name).toBe("Roof");
  });

  it("goes away when nothing was said in it, unless somebody named it", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env);
    expect(await (await env.sessions()).list()).toHaveLength(1);
    await agent.close();
    const asked = await lab.open(env, { session: { id: "kept" } });
    await asked.close();
    const named = await lab.open(env);
    named.context.rename("Later");
    await named.close();
    const kept = await (await env.sessions()).list();
    expect(kept.map(({ id, name }) => name ?? id).toSorted()).toEqual(["Later", "kept"]);
  });

  it.each<{ why: string; session: AgentOpenOptions["session"]; save?: boolean; files: number }>([
    { why: "the setting says no", session: undefined, save: false, files: 0 },
    { why: "the caller says no", session: false, files: 0 },
    { why: "the caller's word wins over the setting", session: {}, save: false, files: 1 },
    { why: "it is the default", session: undefined, files: 1 },
  ])("is kept or not: $why", async ({ session, save, files }) => {
    const lab = await sessionLab(save === undefined ? {} : { settings: { sessions: { save } } });
    const env = await lab.project();
    const agent = await lab.open(env, session === undefined ? {} : { session });
    await ask(agent);
    expect(agent.session === undefined).toBe(files === 0);
    await agent.close();
    expect((await readdir(lab.sessions).catch(() => [])).filter((name) => name.endsWith("l"))).toHaveLength(
      files,
    );
  });

  it("is kept where the host or the setting says", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const own = createMemoryRepository();
    env.sessionsUse(own);
    const agent = await lab.open(env);
    await ask(agent);
    expect(await own.list()).toMatchObject([{ id: agent.session?.id, cwd: env.cwd }]);
    const other = await sessionLab({ settings: { sessions: { folder: `${lab.home}/elsewhere` } } });
    await ask(await other.open(await other.project()));
    expect(await readdir(`${lab.home}/elsewhere`)).not.toHaveLength(0);
  });

  it("is not made for options that make no sense", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const open = (options: object) => env.agentOpen(options);
    const argument = (name: string) => ({ kind: "usage", details: { argument: name } });
    await expect(open({ nmae: "x" })).rejects.toMatchObject(argument("nmae"));
    await expect(open({ session: { reusme: "x" } })).rejects.toMatchObject(argument("session.reusme"));
    await expect(open({ session: { resume: "" } })).rejects.toMatchObject(argument("session.resume"));
    await expect(open({ session: { resume: "a", fork: "b" } })).rejects.toMatchObject(
      argument("session.fork"),
    );
    await expect(open({ session: { resume: "a", id: "b" } })).rejects.toMatchObject(argument("session.id"));
    await expect(open({ context: new Context() })).rejects.toMatchObject(argument("context"));
    await expect(open({ model: "nobody/none" })).rejects.toMatchObject({ kind: "usage" });
    await expect(open({ context: [{ type: 9 }] })).rejects.toMatchObject({ kind: "malformed" });
    // The Env takes it, the agent itself refuses it.
    await expect(open({ session: { id: "mine" }, folder: "/nowhere" })).rejects.toMatchObject({
      kind: "usage",
    });
    expect(await (await env.sessions()).list()).toEqual([]);
    expect(() => Reflect.apply(env.sessionsUse, env, [{}])).toThrow(
      expect.objectContaining(argument("repository")),
    );
  });

  it("needs a place: an Env without files has none", async () => {
    const { env } = await openAgent({ stream: scripted(text("ok")).stream });
    const agent = await env.agentOpen({ stream: scripted(text("ok")).stream });
    expect(agent.session).toBeUndefined();
    await agent.close();
    await expect(env.agentOpen({ session: {} })).rejects.toMatchObject({ kind: "usage" });
  });

  it("says which setting is wrong", async () => {
    const relative = await sessionLab({ settings: { sessions: { folder: "here" } } });
    await expect((await relative.project()).agentOpen({ session: {} })).rejects.toMatchObject({
      kind: "settings",
      details: { key: "sessions.folder" },
    });
    const foreign = await sessionLab({ settings: { sessions: { store: "sqlite" } } });
    const env = await foreign.project();
    await expect(env.sessions()).rejects.toMatchObject({
      kind: "settings",
      details: { key: "sessions.store" },
    });
    env.sessionsUse(createMemoryRepository());
    await ask(await foreign.open(env));
  });
});

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
    // The model that answered last is the session's.
    expect((await lab.open(env, { session: { resume: "s" } })).model).toBe("lab/two");
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

describe("one session after another", () => {
  it("is renamed, deleted, forked and listed through the repository", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: { id: "s" } });
    await ask(agent);
    const repository: SessionRepository = await env.sessions();
    await expect(repository.delete("s")).rejects.toMatchObject({ kind: "locked" });
    agent.context.rename("By hand");
    await agent.close();
    await repository.rename("s", "Later");
    await repository.fork("s", { id: "f" });
    expect((await repository.list({ cwd: env.cwd })).map(({ id, name }) => [id, name])).toEqual(
      expect.arrayContaining([
        ["s", "Later"],
        ["f", "Later"],
      ]),
    );
    expect(await repository.delete("s")).toBe(true);
    await expect(lab.open(env, { session: { resume: "s" } })).rejects.toMatchObject({ kind: "missing" });
  });

  it("forks with its agent, and neither hears of the other", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: { id: "s" } });
    await ask(agent, "one");
    const fork = await Agent.fork(agent);
    await ask(fork, "two");
    await ask(agent, "three");
    expect(fork.session?.parent).toMatchObject({ session: "s" });
    expect(words(fork)).toEqual(["one", "ok", "two", "ok"]);
    expect(words(agent)).toEqual(["one", "ok", "three", "ok"]);
    expect(fork.name).not.toBe(agent.name);
  });

  it("keeps every edit of an idle agent, and can take it back after it was opened again", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: { id: "s" } });
    for (const prompt of ["one", "two", "three"]) await ask(agent, prompt);
    agent.context.edit(0, { type: 2, content: [{ type: "text", text: "ONE" }] });
    agent.context.remove([1]);
    agent.context.rollback(-2);
    await agent.close();
    const again = await lab.open(env, { session: { resume: "s" } });
    expect(words(again)).toEqual(["ONE", "two", "ok"]);
    expect(again.context.undo()).toBe(true);
    expect(words(again)).toEqual(["ONE", "two", "ok", "three", "ok"]);
    await ask(again, "four");
    expect(words(again).at(-2)).toBe("four");
  });
});
