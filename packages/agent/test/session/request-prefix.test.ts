import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentOpenOptions } from "@ashlar/agent";
import { createMemoryRepository, cutPositions, messageUser } from "@ashlar/context";
import type { FakeScript, RecordedRequest } from "@ashlar/testing";
import { describe, expect, it } from "vitest";
import { type Lab, openLab, WIRES } from "../support/fake-models.js";
import { ask } from "../support/open-agent.js";

/** Thinks, reads two files at once, then answers; a prompt without `read` is answered at once. */
const script: FakeScript = ({ prompt, results }) =>
  prompt.includes("read") && results.length === 0
    ? {
        parts: [
          { thinking: "Both at once." },
          { text: "I look." },
          { call: { name: "read", arguments: { path: "a.md" } } },
          { call: { name: "read", arguments: { path: "b.md" } } },
        ],
      }
    : { parts: [{ text: `To "${prompt}": done 🙂` }] };

async function openSessionLab() {
  const lab = await openLab({ server: { script } });
  await Promise.all(["a.md", "b.md"].map((name) => writeFile(join(lab.folder, name), `${name} é\n`)));
  lab.env.sessionsUse(createMemoryRepository());
  const open = async (options: AgentOpenOptions): Promise<Agent> => {
    const agent = await lab.env.agentOpen({ systemPrompt: "Be brief.", ...options });
    agent.subscribe((event) => lab.events.push(event));
    return agent;
  };
  return { ...lab, open };
}

/** What a request says of the conversation, as it went over the wire, without the bracket that closes it. */
function conversation({ body }: RecordedRequest): string {
  const { messages, input } = body as { readonly messages?: unknown; readonly input?: unknown };
  const text = JSON.stringify(messages ?? input);
  expect(text).toMatch(/^\[.*\]$/su);
  return text.slice(0, -1);
}

/** The requests since so many. */
const since = ({ server }: Pick<Lab, "server">, count: number): readonly RecordedRequest[] =>
  server.asked().slice(count);

function expectPrefixes(requests: readonly RecordedRequest[]): void {
  expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
  requests.forEach((request, index) => {
    const before = requests[index - 1];
    if (before !== undefined) expect(conversation(request).startsWith(conversation(before))).toBe(true);
  });
}

async function work(agent: Agent, name: string): Promise<void> {
  for (const prompt of [`read ${name}`, `say ${name}`, `read ${name} again`])
    expect(await ask(agent, prompt)).toMatchObject({ kind: "success" });
}

/** Leaves the last user message and what follows it. */
function compact({ context }: Agent, text: string): void {
  const last = context.messages().findLastIndex(({ type }) => type === 2);
  const firstKept = cutPositions(context.items()).findLast((position) => position <= last) ?? 0;
  context.compact({ firstKept, summary: messageUser(text) });
}

describe.each(WIRES)("a session over the wire %s", (wire) => {
  it("sends each request as the one before and more, between compactions, and again after it was resumed", async () => {
    const lab = await openSessionLab();
    const agent = await lab.open({ model: `${wire}/ok`, session: { id: "s" } });
    await work(agent, "one");
    const first = since(lab, 0);
    expect(first).toHaveLength(5);
    expectPrefixes(first);
    compact(agent, "What was said first.");
    await work(agent, "two");
    const second = since(lab, first.length);
    expectPrefixes(second);
    expect(
      conversation(second[0] ?? expect.fail()).startsWith(conversation(first.at(-1) ?? expect.fail())),
    ).toBe(false);
    await agent.close();
    const again = await lab.open({ session: { resume: "s" } });
    await work(again, "three");
    expectPrefixes(since(lab, first.length));
    expect(since(lab, 0)).toHaveLength(15);
  });

  it.each(WIRES.filter((other) => other !== wire))(
    "is compacted twice, resumed over %s, and taken by the strict server",
    async (other) => {
      const lab = await openSessionLab();
      const agent = await lab.open({ model: `${wire}/ok`, session: { id: "s" } });
      await work(agent, "one");
      compact(agent, "The first half.");
      await work(agent, "two");
      compact(agent, "The second half.");
      await agent.close();
      const count = lab.server.asked().length;
      const again = await lab.open({ model: `${other}/ok`, session: { resume: "s" } });
      await work(again, "three");
      const requests = since(lab, count);
      expectPrefixes(requests);
      expect(conversation(requests[0] ?? expect.fail())).toContain("The second half.");
      expect(conversation(requests[0] ?? expect.fail())).not.toContain("The first half.");
    },
  );
});
