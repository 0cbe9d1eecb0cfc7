import type { Agent, AgentEnv } from "@ashlar/agent";
import { type ContextItem, contentText, type JournalEvent, type SessionEntry } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { prose, talk } from "../support/long-talk.js";
import { ask } from "../support/open-agent.js";
import { calls, failure, type ScriptedStream, scripted, text, USAGE } from "../support/scripted-stream.js";
import { type SessionLab, sessionLab } from "../support/session-lab.js";

const words = (items: readonly ContextItem[]): string =>
  items.flatMap((item) => ("content" in item ? [contentText(item as never)] : [])).join("\n");

async function journalOf(env: AgentEnv, id: string): Promise<readonly JournalEvent[]> {
  const store = await (await env.sessions()).open(id, { readonly: true });
  const entries: SessionEntry[] = [];
  for await (const entry of store.read()) entries.push(entry);
  await store.close();
  return entries.flatMap((entry) => (entry.kind === "journal" ? [entry.event] : []));
}

/** An agent whose conversation is on disk, with a script that answers. */
async function kept(lab: SessionLab, script: ScriptedStream): Promise<{ env: AgentEnv; agent: Agent }> {
  const env = await lab.project();
  const { stream } = script;
  const agent = await lab.open(env, { stream, context: talk(), session: { id: "wall" } });
  return { env, agent };
}

describe("a session that was compacted", () => {
  it("is resumed with the summary, which the next compaction updates with its files and its place", async () => {
    const lab = await sessionLab();
    const { env, agent } = await kept(lab, scripted(text("FIRST"), text("ok")));
    await agent.compact({ keep: 1_300 });
    await ask(agent, "go on");
    const items = agent.context.items();
    await agent.close();
    const { stream, requests } = scripted(text("SECOND"));
    const again = await lab.open(env, { stream, session: { resume: "wall" } });
    expect(again.context.items()).toEqual(items);
    await again.compact({ keep: 0 });
    expect(words(requests[0]?.context ?? [])).toContain("<summary>\nFIRST\n</summary>");
    expect(words(requests[0]?.context ?? []).split("FIRST")).toHaveLength(2);
    expect(words(again.context.items())).toMatch(/SECOND.*Files read: A\.md, B\.md, C\.md, D\.md/s);
    const [entry] = again.context.entries({ kinds: ["compaction"], limit: 1 });
    expect(entry).toMatchObject({ details: { read: ["A.md", "B.md", "C.md", "D.md"], changed: [] } });
  });

  it("shows what was there before once the compaction is undone", async () => {
    const lab = await sessionLab();
    const { agent } = await kept(lab, scripted(text("FIRST")));
    const items = agent.context.items();
    await agent.compact({ keep: 0 });
    expect(agent.context.undo()).toBe(true);
    expect(agent.context.items()).toEqual(items);
  });

  it("says in its journal what the summary cost, and counts it", async () => {
    const lab = await sessionLab();
    const { env, agent } = await kept(lab, scripted(text("FIRST")));
    await agent.compact({ keep: 1_300 });
    expect(agent.context.stats).toMatchObject({ requests: 1, usage: { inputTokens: 10, outputTokens: 2 } });
    expect(agent.context.journalState).toEqual({ open: undefined, problems: [] });
    await agent.close();
    const journal = await journalOf(env, "wall");
    expect(journal).toMatchObject([
      { type: "operation_started", purpose: "compaction" },
      { type: "usage", cause: "compaction", usage: USAGE },
      { type: "operation_finished", outcome: "completed" },
    ]);
  });

  it("in the middle of a run is part of that run", async () => {
    const lab = await sessionLab({ settings: { context: { assumedWindow: 6_000, turn: 1 } } });
    const script = scripted(text("FIRST"), text("SECOND"), text("answer"));
    const { env, agent } = await kept(lab, script);
    expect(await agent.run()).toMatchObject({ kind: "success", requests: 3 });
    await agent.close();
    const journal = await journalOf(env, "wall");
    expect(journal.map((event) => (event.type === "usage" ? event.cause : event.type))).toEqual([
      "operation_started",
      "compaction",
      "compaction",
      "step_attempt",
      "assistant",
      "operation_finished",
    ]);
  });

  it("notes a failure, and nothing in the conversation", async () => {
    const lab = await sessionLab();
    const broken = failure({ kind: "provider", error: "broken", usage: USAGE });
    const { env, agent } = await kept(lab, scripted(broken));
    const items = agent.context.items();
    await expect(agent.compact({ keep: 0 })).rejects.toMatchObject({ kind: "compaction" });
    await agent.close();
    expect(await journalOf(env, "wall")).toMatchObject([
      { type: "operation_started" },
      { type: "usage", cause: "compaction" },
      { type: "operation_finished", outcome: "failed" },
    ]);
    const again = await lab.open(env, { session: { resume: "wall" } });
    expect(again.context.items()).toEqual(items);
  });

  it("that was killed in the middle of it goes on as if it had not begun", async () => {
    const lab = await sessionLab();
    const { env, agent } = await kept(lab, scripted(text("never"), text("ok")));
    agent.context.journal({ type: "operation_started", operation: "lost", purpose: "compaction" });
    await agent.close();
    const again = await lab.open(env, { session: { resume: "wall" } });
    expect(await ask(again, "are you there?")).toMatchObject({ kind: "success" });
    expect(again.context.journalState.open).toBeUndefined();
    await again.compact({ keep: 0 });
    expect(again.context.journalState.problems).toEqual([]);
  });

  it("keeps what the summary of a left branch cost, too", async () => {
    const lab = await sessionLab();
    const { env, agent } = await kept(lab, scripted(text("It failed.")));
    const [fork] = agent.context.entries({ kinds: ["message"], order: "oldest" });
    agent.context.append({ type: 3, content: [{ type: "text", text: prose("tried", 20) }] });
    await agent.summarizeBranch({ to: fork?.id ?? null });
    const items = agent.context.items();
    await agent.close();
    expect(await journalOf(env, "wall")).toMatchObject([
      { purpose: "summary" },
      { type: "usage", cause: "summary" },
      { outcome: "completed" },
    ]);
    const again = await lab.open(env, { session: { resume: "wall" } });
    expect(again.context.items()).toEqual(items);
  });

  it("is written by the loop itself while its calls run", async () => {
    const page = {
      description: "A page.",
      safe: true,
      inputSchema: { type: "object" },
      fn: ({ n }: { n: number }) => prose(`page-${n}`, 700),
    };
    const lab = await sessionLab({
      tools: { page },
      settings: { context: { assumedWindow: 6_000 } },
    });
    const env = await lab.project();
    const { stream } = scripted(({ context, index }) => {
      if (words(context.slice(0, 1)).startsWith("You write summaries")) return text(`SUMMARY-${index}`);
      return index > 25 ? text("done") : calls([{ name: "page", args: { n: index } }]);
    });
    const agent = await lab.open(env, { stream, session: { id: "long" } });
    expect(await ask(agent, "read them all")).toMatchObject({ kind: "success" });
    const items = agent.context.items();
    expect(words(items)).toContain("read them all");
    await agent.close();
    const again = await lab.open(env, { session: { resume: "long" } });
    expect(again.context.items()).toEqual(items);
  });
});
