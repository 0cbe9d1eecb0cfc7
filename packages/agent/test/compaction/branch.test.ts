import {
  Context,
  type ContextItem,
  contentText,
  type Message,
  messageAssistant,
  messageUser,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { calling, prose, resultOf } from "../support/long-talk.js";
import { ask, openAgent } from "../support/open-agent.js";
import { failure, scripted, text } from "../support/scripted-stream.js";

const shown = (items: readonly ContextItem[]): string =>
  items.map((item) => contentText(item as Message)).join("\n");

/** A conversation with a fork in the road: the entry where it is, and a branch that grew from there. */
function forked(branch: readonly ContextItem[]): { context: Context; fork: string | null } {
  const context = new Context();
  context.append(messageUser("Build a wall."));
  context.append(messageAssistant("Of what?"));
  const fork = context.leaf;
  for (const item of branch) context.append(item, { merge: false });
  return { context, fork };
}

const granite = [
  messageUser("Of granite."),
  calling("A"),
  resultOf("A", 50),
  messageAssistant("Granite is too hard."),
];

describe("a branch that is left", () => {
  it("is summarised where the conversation goes on, in one step of undo", async () => {
    const { context, fork } = forked(granite);
    const { stream, requests } = scripted(text("Granite did not work."), text("ok"));
    const { agent } = await openAgent({ stream, context });
    const from = context.leaf;
    const before = context.items();
    expect(await agent.summarizeBranch({ to: fork, focus: "the stone" })).toMatchObject({
      status: "summarized",
      from,
      summary: "Granite did not work.",
      requests: 1,
    });
    const asked = shown(requests[0]?.context ?? []);
    expect(asked).toContain("[user]\nOf granite.");
    expect(asked).toContain('[calls read] {"path":"A.md"}');
    expect(asked).toContain("the stone");
    expect(asked).not.toMatch(/Build a wall|result-A/);
    expect(shown(context.items())).toMatch(
      /Of what\?\nAnother branch.*Granite did not work\.\s+Files read: A\.md/s,
    );
    expect(context.entries({ kinds: ["summary"] })).toMatchObject([{ from, details: { read: ["A.md"] } }]);
    expect(await ask(agent, "Of limestone.")).toMatchObject({ kind: "success" });
    context.rollback(-2);
    while (context.leaf !== from) expect(context.undo()).toBe(true);
    expect(context.items()).toEqual(before);
  });

  it("is left without a word when nothing was said on it", async () => {
    const { context, fork } = forked([]);
    const { stream, requests } = scripted(text("never"));
    const { agent } = await openAgent({ stream, context });
    context.addCustom("note", 1);
    const from = context.leaf;
    expect(await agent.summarizeBranch({ to: fork })).toEqual({ status: "nothing", from, requests: 0 });
    expect(context.leaf).toBe(fork);
    expect(requests).toEqual([]);
  });

  it("is told newest first when it is long, and says that something is missing", async () => {
    const long = Array.from({ length: 40 }, (_, index) => [
      messageUser(prose(`question-${index}`, 100)),
      messageAssistant(prose(`answer-${index}`, 100)),
    ]).flat();
    const { context, fork } = forked(long);
    const { stream, requests } = scripted(text("It was long."));
    const envSettings = { context: { assumedWindow: 4_000 } };
    const { agent } = await openAgent({ stream, context, envSettings });
    await agent.summarizeBranch({ to: fork });
    const asked = shown(requests[0]?.context ?? []);
    expect(requests).toHaveLength(1);
    expect(asked).toContain("answer-39");
    expect(asked).not.toContain("question-0 ");
    expect(asked).toContain("(What came before is left out.)");
    expect(asked.indexOf("question-39")).toBeLessThan(asked.indexOf("answer-39"));
  });

  it("is told in part when its last message alone is too long", async () => {
    const { context, fork } = forked([messageAssistant(prose("endless", 5_000))]);
    const { stream, requests } = scripted(text("It was long."));
    const envSettings = { context: { assumedWindow: 4_000 } };
    const { agent } = await openAgent({ stream, context, envSettings });
    await agent.summarizeBranch({ to: fork });
    expect(requests).toHaveLength(1);
    expect(shown(requests[0]?.context ?? [])).toMatch(/left out.*endless stone.*characters left out/s);
  });

  it("tells of what was compacted on it by that summary", async () => {
    const { context, fork } = forked([...granite, messageUser("Try basalt."), messageAssistant("Too dark.")]);
    const { stream, requests } = scripted(text("COMPACTED"), text("Both failed."));
    const { agent } = await openAgent({ stream, context });
    context.compact({ firstKept: 6, summary: messageUser("COMPACTED") });
    context.edit(-1, messageAssistant("Much too dark."));
    context.append(messageUser("forget this"));
    context.remove([-1]);
    await agent.summarizeBranch({ to: fork });
    const asked = shown(requests[0]?.context ?? []);
    expect(asked).toMatch(/COMPACTED.*Try basalt.*Much too dark/s);
    expect(asked).not.toMatch(/granite|forget this|Too dark/);
  });

  it("stays where it is when no summary came of it", async () => {
    const { context, fork } = forked(granite);
    const { stream } = scripted(failure({ kind: "provider", error: "broken" }));
    const { agent } = await openAgent({ stream, context });
    const before = [context.leaf, context.items()];
    await expect(agent.summarizeBranch({ to: fork })).rejects.toMatchObject({
      kind: "compaction",
      message: "broken",
      details: { reason: "request" },
    });
    await expect(agent.summarizeBranch({ to: "nowhere" })).rejects.toMatchObject({ kind: "usage" });
    await expect(agent.summarizeBranch({ to: fork, focus: "" })).rejects.toMatchObject({
      kind: "usage",
      details: { argument: "focus" },
    });
    // @ts-expect-error a place has to be named
    await expect(agent.summarizeBranch({})).rejects.toMatchObject({ details: { argument: "to" } });
    const signal = AbortSignal.abort();
    await expect(agent.summarizeBranch({ to: fork, signal })).rejects.toMatchObject({
      details: { reason: "cancelled" },
    });
    expect([context.leaf, context.items()]).toEqual(before);
    expect(agent.busy).toBe(false);
  });
});
