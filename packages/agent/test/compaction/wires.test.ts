import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "@ashlar/agent";
import { contentText, createMemoryRepository, estimateTokens } from "@ashlar/context";
import type { FakeScript, RecordedRequest } from "@ashlar/testing";
import { describe, expect, it } from "vitest";
import { type Lab, openLab, WIRES } from "../support/fake-models.js";
import { prose, talk } from "../support/long-talk.js";
import { ask } from "../support/open-agent.js";

const ASKS_FOR_SUMMARY = "Write these six parts";

/** Numbers its summaries and its answers; calls `read` once for a prompt that says so. */
function counting(): FakeScript {
  let summaries = 0;
  return ({ prompt, results }) => {
    if (prompt.includes(ASKS_FOR_SUMMARY)) {
      summaries += 1;
      return { parts: [{ text: `SUMMARY-${summaries}.` }] };
    }
    if (prompt.includes("look into") && results.length === 0) {
      const read = { name: "read", arguments: { path: "NAME.md" } };
      return { parts: [{ call: read }, { call: { ...read, arguments: { path: "README.md" } } }] };
    }
    return { parts: [{ text: `Answer to ${prompt.slice(-20)}.` }] };
  };
}

const refused = ({ server }: Lab) =>
  server
    .asked()
    .filter(({ status }) => status !== 200)
    .map(({ text }) => text);
const shown = (agent: Agent): string => agent.context.messages().map(contentText).join("\n");
const messagesOf = ({ body }: RecordedRequest): string => {
  const { messages, input } = body as { messages?: unknown; input?: unknown };
  return JSON.stringify(messages ?? input).slice(0, -1);
};

describe.each(WIRES)("over the wire %s", (wire) => {
  it("a strict server takes every request, wherever a batch of calls is cut, twice and after a resume", async () => {
    const lab = await openLab({ server: { script: counting() } });
    const items = talk(300);
    const statuses: string[] = [];
    for (const position of items.keys()) {
      const repository = createMemoryRepository();
      const keep = estimateTokens(items.slice(position));
      const session = { repository, id: `cut-${position}` };
      const agent = await lab.env.agentOpen({
        model: `${wire}/ok`,
        context: items,
        systemPrompt: false,
        session,
      });
      statuses.push((await agent.compact({ keep })).status);
      expect(shown(agent)).toContain("third-question stone");
      expect(shown(agent)).toContain("result-D stone");
      expect(await ask(agent, prose("more", 900))).toMatchObject({ kind: "success" });
      statuses.push((await agent.compact({ keep })).status);
      await agent.close();
      const again = await lab.env.agentOpen({
        model: `${WIRES[position % WIRES.length]}/thinking`,
        session: { repository, resume: `cut-${position}` },
      });
      expect(await ask(again, "are you there?")).toMatchObject({ kind: "success" });
      await again.close();
    }
    expect(refused(lab)).toEqual([]);
    expect(statuses.filter((status) => status === "compacted").length).toBeGreaterThan(12);
  });

  it("each request begins with the bytes of the one before, from one compaction to the next", async () => {
    const lab = await openLab({ server: { script: counting() } });
    await writeFile(join(lab.folder, "NAME.md"), prose("name", 200));
    await writeFile(join(lab.folder, "README.md"), prose("readme", 200));
    const agent = lab.open(`${wire}/ok`);
    for (const chapter of [1, 2, 3]) {
      const from = lab.server.asked().length;
      for (const n of [1, 2, 3]) await ask(agent, `${chapter}.${n}: look into both files`);
      const requests = lab.server.asked().slice(from).map(messagesOf);
      expect(requests).toHaveLength(6);
      requests.slice(1).forEach((text, index) => {
        expect(text.startsWith(requests[index] ?? "")).toBe(true);
      });
      expect(await agent.compact({ keep: 500 })).toMatchObject({ status: "compacted" });
    }
    expect(refused(lab)).toEqual([]);
  });

  it("a second summary is made from the first, which stands in its request once", async () => {
    const lab = await openLab({ server: { script: counting() } });
    const agent = lab.open(`${wire}/ok`, { context: talk(300).slice(0, 7) });
    await agent.compact({ keep: 0 });
    await ask(agent, prose("more", 300));
    await agent.compact({ keep: 0 });
    const [, second] = lab.server.asked().filter(({ text }) => text.includes(ASKS_FOR_SUMMARY));
    expect(second?.text.split("SUMMARY-1.")).toHaveLength(2);
    expect(second?.text).not.toContain("first-question");
    expect(shown(agent)).toContain("SUMMARY-2.");
    expect(shown(agent)).not.toContain("SUMMARY-1.");
  });

  it("a conversation that was compacted twice goes on with another model", async () => {
    const lab = await openLab({ server: { script: counting() } });
    const agent = lab.open(`${wire}/ok`, { context: talk(300) });
    await agent.compact({ keep: 900 });
    await ask(agent, prose("more", 300));
    await agent.compact({ keep: 100 });
    for (const other of WIRES) {
      agent.model = `${other}/thinking`;
      expect(await ask(agent, "and now?")).toMatchObject({ kind: "success" });
    }
    expect(refused(lab)).toEqual([]);
  });

  it("a window that is too small for the conversation is found out, and the run goes on", async () => {
    const lab = await openLab({ settings: { context: { autocompact: 0.8 } } });
    const agent = lab.open(`${wire}/small-window`, { context: talk(900) });
    const result = await ask(agent, "and now?");
    expect(result).toMatchObject({ kind: "success" });
    expect(lab.events.filter(({ type }) => type === "compaction").at(-1)).toMatchObject({ phase: "end" });
  });

  it("forty turns go through a window that four of them fill", async () => {
    const lab = await openLab();
    const agent = lab.open(`${wire}/small-window`);
    for (const turn of Array.from({ length: 40 }).keys()) {
      expect(await ask(agent, prose(`turn-${turn}`, 900))).toMatchObject({ kind: "success" });
    }
    expect(shown(agent)).toContain("turn-39 stone");
    const statuses = lab.server.asked().map(({ status }) => status);
    // Where the server says how large its window is, its end is never reached; elsewhere it is found out once.
    expect(statuses.filter((status) => status !== 200)).toEqual(wire === "ollama" ? [] : [400]);
    expect(statuses.length).toBeLessThan(40 * 3);
    expect(agent.contextUsage.total).toBe(4_096);
  });

  it("a message larger than the window is said to be so, with its position and size", async () => {
    const lab = await openLab();
    const agent = lab.open(`${wire}/small-window`);
    const result = await ask(agent, prose("endless", 9_000));
    expect(result).toMatchObject({ status: "failed" });
    expect(result.error).toMatch(/user message at position 0 takes about \d{4,5} tokens by itself/);
    expect(lab.server.asked().length).toBeLessThanOrEqual(3);
  });
});

it("does not take a count of a prompt that was cut for room", async () => {
  const lab = await openLab();
  const agent = lab.open("ollama/truncates", { settings: { contextWindow: 32_768 } });
  const words = Array.from({ length: 6_000 }, (_, index) => `w${index + 1}`).join(" ");
  for (const _ of [1, 2, 3, 4]) await ask(agent, words);
  const requests = lab.server.asked();
  for (const { body } of requests) expect(body).toMatchObject({ options: { num_ctx: 32_768 } });
  expect(lab.events.some((event) => event.type === "compaction" && event.phase === "end")).toBe(true);
  expect(lab.events.some((event) => event.type === "notice" && event.message.includes("2050"))).toBe(true);
});
