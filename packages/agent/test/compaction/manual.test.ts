import { Agent } from "@ashlar/agent";
import { contentText, type Message } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { prose, talk } from "../support/long-talk.js";
import { openAgent } from "../support/open-agent.js";
import { failure, scripted, text, USAGE } from "../support/scripted-stream.js";

const shownTo = (context: readonly object[]): string =>
  context.map((item) => contentText(item as Message)).join("\n");

describe("a compaction by hand", () => {
  it("puts a summary in the place of what is old, and tells before and after", async () => {
    const { stream, requests } = scripted(text("## Intent\nBuild a wall."), text("ok"));
    const { agent, events } = await openAgent({ stream, context: talk() });
    const result = await agent.compact({ keep: 1_300 });
    expect(result).toMatchObject({
      status: "compacted",
      summary: "## Intent\nBuild a wall.",
      requests: 1,
      usage: USAGE,
    });
    expect(result.after).toBeLessThan(result.before);
    expect(agent.contextUsage.used).toBe(result.after);
    expect(agent.context.messages().map(({ type }) => type)).toEqual([1, 2, 2, 3, 4, 2]);
    expect(contentText(agent.context.messages()[1] as Message)).toContain("## Intent\nBuild a wall.");
    expect(agent.usage).toEqual(USAGE);
    expect(events).toMatchObject([
      { type: "compaction", phase: "start", reason: "manual", before: result.before },
      { type: "compaction", phase: "end", reason: "manual", after: result.after, requests: 1 },
    ]);
    expect(requests[0]?.options.tools).toEqual([]);
    expect(shownTo(requests[0]?.context ?? [])).toContain("first-question stone");
    expect((await agent.run()).kind).toBe("success");
  });

  it("writes the focus into the request", async () => {
    const { stream, requests } = scripted(text("short"));
    const { agent } = await openAgent({ stream, context: talk() });
    await agent.compact({ keep: 900, focus: "the mortar" });
    expect(shownTo(requests[0]?.context ?? [])).toContain("the mortar");
  });

  it("says that there is nothing to do", async () => {
    const { stream, requests } = scripted(text("short"));
    const { agent, events } = await openAgent({ stream, context: talk(5) });
    expect(await agent.compact()).toMatchObject({ status: "nothing", requests: 0 });
    const fresh = await openAgent({ stream });
    expect(await fresh.agent.compact()).toEqual({ status: "nothing", before: 0, after: 0, requests: 0 });
    expect([...requests, ...events]).toEqual([]);
  });

  it("is refused while a run is under way, and keeps a run away while it works", async () => {
    const { stream } = scripted(text("short"));
    const { agent } = await openAgent({ stream, context: talk() });
    const compacting = agent.compact({ keep: 0 });
    expect(agent.busy).toBe(true);
    await expect(agent.run()).rejects.toMatchObject({ kind: "busy" });
    await expect(agent.compact()).rejects.toMatchObject({ kind: "busy" });
    await compacting;
    const running = agent.run();
    await expect(agent.compact()).rejects.toMatchObject({ kind: "busy" });
    await running;
    await agent.close();
    await expect(agent.compact()).rejects.toMatchObject({ kind: "closed" });
  });

  it("is under way, and can be cancelled, from its first event on", async () => {
    const { stream, requests } = scripted(text("short"));
    const { agent } = await openAgent({ stream, context: talk() });
    const busy: boolean[] = [];
    agent.onEvent(Agent.EVENT.COMPACTION_START, () => {
      busy.push(agent.busy);
      agent.cancel();
    });
    await expect(agent.compact({ keep: 900 })).rejects.toMatchObject({
      kind: "compaction",
      details: { reason: "cancelled" },
    });
    expect(busy).toEqual([true]);
    expect(requests).toEqual([]);
  });

  it.each([
    { why: "a failed request", turn: failure({ kind: "provider", error: "broken" }), reason: "request" },
    { why: "an empty summary", turn: text("  "), reason: "summary" },
    { why: "a summary that is cut", turn: text("half a", "length"), reason: "summary" },
    { why: "a summary longer than what it replaces", turn: text(prose("long", 9_000)), reason: "summary" },
  ])("leaves everything as it was after $why", async ({ turn, reason }) => {
    const { stream } = scripted(turn);
    const { agent, events } = await openAgent({ stream, context: talk().slice(0, 7) });
    const before = agent.context.items();
    const leaf = agent.context.leaf;
    await expect(agent.compact({ keep: 0 })).rejects.toMatchObject({
      kind: "compaction",
      details: { reason },
    });
    expect(agent.context.items()).toBe(before);
    expect(agent.context.leaf).toBe(leaf);
    expect(events.at(-1)).toMatchObject({ type: "compaction", phase: "failed", requests: 1 });
    expect(agent.busy).toBe(false);
  });

  it("ends at once when it is cancelled, by the agent or by a signal", async () => {
    const { agent } = await openAgent({
      context: talk(),
      stream: (_context, _sink, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () =>
            resolve({ type: "error", kind: "cancelled", cancelled: true, error: "cancelled" }),
          ),
        ),
    });
    const before = agent.context.items();
    const compacting = agent.compact({ keep: 0 });
    agent.cancel();
    await expect(compacting).rejects.toMatchObject({ kind: "compaction", details: { reason: "cancelled" } });
    const signal = AbortSignal.abort();
    await expect(agent.compact({ keep: 0, signal })).rejects.toMatchObject({
      details: { reason: "cancelled" },
    });
    expect(agent.context.items()).toBe(before);
  });

  it("notices that the conversation changed meanwhile", async () => {
    const { stream } = scripted(() => {
      opened.agent.context.append({ type: 2, content: [{ type: "text", text: "wait" }] });
      return text("short");
    });
    const opened = await openAgent({ stream, context: talk() });
    await expect(opened.agent.compact({ keep: 0 })).rejects.toMatchObject({ details: { reason: "changed" } });
  });

  it("spends from the budget", async () => {
    const { stream } = scripted(text("short"));
    const { agent } = await openAgent({ stream, context: talk(), budget: { tokens: 100 } });
    await expect(agent.compact({ keep: 0 })).rejects.toMatchObject({ details: { reason: "budget" } });
  });

  it("refuses options that make no sense", async () => {
    const { agent } = await openAgent({ stream: scripted(text("short")).stream });
    await expect(agent.compact({ keep: -1 })).rejects.toMatchObject({
      kind: "usage",
      details: { argument: "keep" },
    });
    await expect(agent.compact({ focus: " " })).rejects.toMatchObject({ details: { argument: "focus" } });
  });

  it("tells listeners by key", async () => {
    const { stream } = scripted(text("short"));
    const { agent } = await openAgent({ stream, context: talk() });
    const heard: string[] = [];
    agent.onEvent(Agent.EVENT.COMPACTION_START, ({ phase }) => heard.push(phase));
    agent.onEvent(Agent.EVENT.COMPACTION_END, ({ phase }) => heard.push(phase));
    await agent.compact({ keep: 0 });
    expect(heard).toEqual(["start", "end"]);
  });
});
