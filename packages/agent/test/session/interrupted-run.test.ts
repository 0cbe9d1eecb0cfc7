import type { AgentEnv } from "@ashlar/agent";
import { Context, contentText, type JournalEvent, type Message, messageUser } from "@ashlar/context";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { ask } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

interface Left {
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly replay?: "never" | "safe";
  }[];
  /** Calls that had begun. */
  readonly begun?: readonly string[];
  readonly answered?: readonly string[];
  readonly open?: boolean;
}

/** A session as a crash leaves it: calls were asked for, some began, some have their result. */
async function leave(env: AgentEnv, left: Left): Promise<void> {
  const { begun = [], answered = [], open = true } = left;
  const store = await (await env.sessions()).create({ id: "s", cwd: env.cwd });
  const context = new Context({ store });
  const note = (event: JournalEvent): void => context.journal(event);
  if (open) note({ type: "operation_started", operation: "o1", purpose: "run" });
  context.append(messageUser("do it"));
  if (open) note({ type: "step_attempt", operation: "o1", step: 1, attempt: 1 });
  context.append({
    type: 3,
    content: left.calls.map(({ id, name }) => ({ type: "toolCall", callId: id, name, arguments: {} })),
  });
  for (const { id, name, replay = "never" } of left.calls) {
    if (open && begun.includes(id)) note({ type: "tool_started", operation: "o1", callId: id, name, replay });
  }
  for (const id of answered)
    context.append({ type: 4, callId: id, content: [{ type: "text", text: "done before" }] });
  await context.close();
}

const results = (messages: readonly Message[]): readonly (readonly [string, string])[] =>
  messages.flatMap((message) =>
    message.type === 4 ? [[message.callId, contentText(message)] as const] : [],
  );

function tools(ran: string[]): ToolDescriptions {
  const tool = (name: string, replay: "never" | "safe") => ({
    description: name,
    safe: true,
    replay,
    inputSchema: { type: "object" },
    fn: () => {
      ran.push(name);
      return `${name} ran`;
    },
  });
  return { look: tool("look", "safe"), count: tool("count", "never") };
}

describe("a run that a crash ended", () => {
  it("repeats what may be repeated, closes the rest, and gives each call one result", async () => {
    const ran: string[] = [];
    const lab = await sessionLab({ tools: tools(ran) });
    const env = await lab.project();
    await leave(env, {
      calls: [
        { id: "a", name: "count" },
        { id: "b", name: "look", replay: "safe" },
        { id: "c", name: "count" },
        { id: "d", name: "look", replay: "safe" },
      ],
      begun: ["a", "b"],
      answered: ["d"],
    });
    const { stream, requests } = scripted(text("done"));
    const agent = await lab.open(env, { stream, session: { resume: "s" } });
    expect(results(agent.context.messages())).toEqual([["d", "done before"]]);
    await ask(agent, "go on");
    expect(ran).toEqual(["look"]);
    const sent = requests[0]?.context.filter((item): item is Message => typeof item.type === "number") ?? [];
    expect(results(sent)).toEqual([
      ["d", "done before"],
      ["a", expect.stringContaining("may have partly run")],
      ["c", expect.stringContaining("did not run")],
      ["b", "look ran"],
    ]);
    expect(sent.at(-1)).toMatchObject({ type: 2 });
    expect(agent.context.journalState).toEqual({ open: undefined, problems: [] });
    expect(lab.events).toContainEqual({ type: "notice", message: expect.stringContaining("interrupted") });
  });

  it("goes on without a new prompt", async () => {
    const ran: string[] = [];
    const lab = await sessionLab({ tools: tools(ran) });
    const env = await lab.project();
    await leave(env, { calls: [{ id: "b", name: "look", replay: "safe" }], begun: ["b"] });
    const agent = await lab.open(env, { session: { resume: "s" } });
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(agent.context.messages().map(({ type }) => type)).toEqual([2, 3, 4, 3]);
    expect(ran).toEqual(["look"]);
  });

  it.each<{ why: string; left: Left; declared: "never" | "safe" }>([
    {
      why: "the tool says so today only",
      left: { calls: [{ id: "b", name: "look" }], begun: ["b"] },
      declared: "safe",
    },
    {
      why: "the tool said so only then",
      left: { calls: [{ id: "b", name: "look", replay: "safe" }], begun: ["b"] },
      declared: "never",
    },
  ])("repeats nothing when $why", async ({ left, declared }) => {
    const ran: string[] = [];
    const { look } = tools(ran);
    const lab = await sessionLab({
      tools: look === undefined ? {} : { look: { ...look, replay: declared } },
    });
    const env = await lab.project();
    await leave(env, left);
    const agent = await lab.open(env, { session: { resume: "s" } });
    await ask(agent);
    expect([ran, results(agent.context.messages()).length]).toEqual([[], 1]);
  });

  it("asks the rules before it repeats a call", async () => {
    const ran: string[] = [];
    const lab = await sessionLab({
      tools: tools(ran),
      settings: { permissions: [{ tool: "look", action: "deny" }] },
    });
    const env = await lab.project();
    await leave(env, { calls: [{ id: "b", name: "look", replay: "safe" }], begun: ["b"] });
    const agent = await lab.open(env, { session: { resume: "s" } });
    await agent.run();
    expect(ran).toEqual([]);
    expect(agent.context.at(2)).toMatchObject({ type: 4, callId: "b", error: true });
  });

  it("is not taken for one when open calls came from elsewhere", async () => {
    const ran: string[] = [];
    const lab = await sessionLab({ tools: tools(ran) });
    const env = await lab.project();
    await leave(env, { calls: [{ id: "b", name: "look", replay: "safe" }], open: false });
    const agent = await lab.open(env, { session: { resume: "s" } });
    await ask(agent);
    expect([ran, results(agent.context.messages())]).toEqual([[], []]);
  });

  it("leaves nothing behind when it is resumed and left again and again", async () => {
    const lab = await sessionLab({ tools: tools([]) });
    const env = await lab.project();
    await leave(env, { calls: [{ id: "a", name: "count" }], begun: ["a"] });
    for (let time = 0; time < 3; time += 1) {
      const agent = await lab.open(env, { session: { resume: "s" } });
      expect(agent.context.length).toBe(2);
      await agent.close();
    }
    const agent = await lab.open(env, { session: { resume: "s" } });
    await ask(agent);
    await agent.close();
    const again = await lab.open(env, { session: { resume: "s" } });
    await ask(again);
    expect(results(again.context.messages())).toHaveLength(1);
  });

  it("waits for the next run when this one is cancelled before it began", async () => {
    const ran: string[] = [];
    const lab = await sessionLab({ tools: tools(ran) });
    const env = await lab.project();
    await leave(env, { calls: [{ id: "b", name: "look", replay: "safe" }], begun: ["b"] });
    const agent = await lab.open(env, { session: { resume: "s" } });
    expect(await agent.run({ signal: AbortSignal.abort() })).toMatchObject({ kind: "cancelled" });
    expect([ran, agent.context.length, agent.context.journalState.open?.id]).toEqual([[], 2, "o1"]);
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(ran).toEqual(["look"]);
  });

  it("is finished when only its compaction was interrupted", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const store = await (await env.sessions()).create({ id: "s", cwd: env.cwd });
    const context = new Context({ store });
    context.append(messageUser("hello"));
    context.journal({ type: "operation_started", operation: "c", purpose: "compaction" });
    await context.close();
    const agent = await lab.open(env, { session: { resume: "s" } });
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(agent.context.journalState).toEqual({ open: undefined, problems: [] });
  });
});

describe("the journal of a session", () => {
  const eventsOf = async (env: AgentEnv): Promise<readonly JournalEvent[]> => {
    const store = await (await env.sessions()).open("s", { readonly: true });
    const events: JournalEvent[] = [];
    for await (const entry of store.read({ kinds: ["journal"] }))
      if (entry.kind === "journal") events.push(entry.event);
    await store.close();
    return events;
  };

  it("tells of runs, requests, calls and what they cost, in order", async () => {
    const lab = await sessionLab({ tools: tools([]) });
    const env = await lab.project();
    const { stream } = scripted(calls([{ name: "look", id: "x" }]), text("done"));
    const agent = await lab.open(env, { stream, model: "lab/one", session: { id: "s" } });
    await ask(agent);
    const events = await eventsOf(env);
    expect(events.map(({ type }) => type)).toEqual([
      "operation_started",
      "step_attempt",
      "usage",
      "tool_started",
      "step_attempt",
      "usage",
      "operation_finished",
    ]);
    expect(events[3]).toMatchObject({ callId: "x", name: "look", replay: "safe" });
    expect(events[5]).toMatchObject({ cause: "assistant", model: "lab/one", usage: { inputTokens: 10 } });
    expect(events[6]).toMatchObject({ outcome: "completed" });
  });

  it("counts the attempts of a request that is sent again, and says how a run failed", async () => {
    const lab = await sessionLab({ settings: { retry: { attempts: 3, base: 1, max: 1_000 } } });
    const env = await lab.project();
    const { stream } = scripted([{ type: "error", kind: "network", error: "reset" }]);
    const agent = await lab.open(env, { stream, session: { id: "s" } });
    expect(await ask(agent)).toMatchObject({ kind: "network" });
    const events = await eventsOf(env);
    expect(
      events.flatMap((event) => (event.type === "step_attempt" ? [[event.step, event.attempt]] : [])),
    ).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    expect(events.at(-1)).toMatchObject({ type: "operation_finished", outcome: "failed" });
  });

  it("says of a cancelled run that it was", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const agent = await lab.open(env, { session: { id: "s" } });
    agent.send("hello");
    const running = agent.run();
    agent.cancel();
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect((await eventsOf(env)).at(-1)).toMatchObject({ outcome: "cancelled" });
  });

  it("is written by nobody for a conversation that is kept nowhere", async () => {
    const lab = await sessionLab({ tools: tools([]) });
    const env = await lab.project();
    const { stream } = scripted(calls([{ name: "look" }]), text("done"));
    const agent = await lab.open(env, { stream, session: false });
    await ask(agent);
    expect(agent.context.stats).toMatchObject({ requests: 0 });
  });
});
