import { readdir } from "node:fs/promises";
import { Agent, type AgentOpenOptions } from "@ashlar/agent";
import { Context, contentText, createMemoryRepository, type SessionRepository } from "@ashlar/context";
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

  it("is named in the result of each run, and no session is where there is none", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env);
    expect(await ask(agent, "first")).toMatchObject({ session: agent.session?.id });
    const unkept = await lab.open(env, { session: false });
    expect(await ask(unkept, "first")).not.toHaveProperty("session");
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
