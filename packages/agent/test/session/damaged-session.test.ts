import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "@ashlar/agent";
import { contentText, isMessage, type SessionEntry } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { describe, expect, it } from "vitest";
import { openLab, WIRES } from "../support/fake-models.js";
import { ask, temporaryFolder } from "../support/open-agent.js";

const base = (seq: number) => ({
  id: `019a0000-0000-7000-8000-00000000000${seq}`,
  seq,
  parent: seq === 1 ? null : `019a0000-0000-7000-8000-00000000000${seq - 1}`,
  at: seq,
  kind: "message" as const,
});
const text = (said: string) => [{ type: "text" as const, text: said }];
const user = (seq: number, said: string): SessionEntry => ({
  ...base(seq),
  message: { type: 2, content: text(said) },
});
const called = (seq: number, ...ids: readonly string[]): SessionEntry => ({
  ...base(seq),
  message: {
    type: 3,
    content: ids.map((callId) => ({
      type: "toolCall" as const,
      callId,
      name: "read",
      arguments: { path: callId },
    })),
  },
});
const result = (seq: number, callId: string, said = "ok"): SessionEntry => ({
  ...base(seq),
  message: { type: 4, callId, content: text(said) },
});

/** A project whose session `s` has these entries, over real wires. */
async function stored(entries: readonly SessionEntry[]) {
  const lab = await openLab();
  const folder = await temporaryFolder();
  const repository = createJsonlRepository({ folder });
  lab.env.sessionsUse(repository);
  const store = await repository.create({ id: "s", cwd: lab.env.cwd });
  await store.append(entries);
  await store.close();
  const file = join(folder, "s.jsonl");
  const resume = async (model: string): Promise<Agent> => {
    const agent = await lab.env.agentOpen({ model, systemPrompt: false, session: { resume: "s" } });
    agent.subscribe((event) => lab.events.push(event));
    return agent;
  };
  const lines = async () => (await readFile(file, "utf8")).split("\n");
  return { ...lab, repository, file, resume, lines };
}

describe.each(WIRES)("a session whose calls are not all answered, over the wire %s", (wire) => {
  it.each([
    {
      why: "one of two results is missing",
      entries: [user(1, "make two files"), called(2, "k1", "k2"), result(3, "k1")],
      told: ["ok", "may have partly run"],
    },
    {
      why: "a result lost its call",
      entries: [user(1, "make two files"), { ...result(3, "k1"), parent: base(1).id }],
      told: [],
    },
    {
      why: "a user message stands between two results",
      entries: [
        user(1, "make two files"),
        called(2, "k1", "k2"),
        result(3, "k2"),
        user(4, "hurry"),
        result(5, "k1", "late"),
      ],
      told: ["ok", "late"],
    },
  ])("is taken by a strict server each time it is resumed: $why", async ({ entries, told }) => {
    const lab = await stored(entries);
    const before = (await lab.lines()).slice(0, entries.length + 1);
    for (let time = 0; time < 3; time += 1) await (await lab.resume(`${wire}/ok`)).close();
    const agent = await lab.resume(`${wire}/ok`);
    const items = agent.context.length;
    expect(await ask(agent, "go on")).toMatchObject({ kind: "success" });
    expect(lab.server.asked().map(({ status }) => status)).toEqual([200]);
    for (const words of told) expect(lab.server.asked()[0]?.text).toContain(words);
    // Nothing was repaired in the session itself, and nothing ran.
    expect(agent.context.length).toBe(items + 2);
    expect(lab.events.filter(({ type }) => type === "tool_execute")).toEqual([]);
    expect((await lab.lines()).slice(0, before.length)).toEqual(before);
  });
});

describe("a session whose file is damaged", () => {
  const good = [user(1, "first"), { ...base(2), message: { type: 3, content: text("second") } }] as const;
  const notices = (events: readonly { readonly type: string; readonly message?: unknown }[]) =>
    events.flatMap(({ type, message }) => (type === "notice" ? [String(message)] : []));

  it("goes on after a torn last line: what was whole is sent, what is new begins a line", async () => {
    const lab = await stored(good);
    await appendFile(lab.file, '{"type":"message","id":"m3","parentId":"m2","mess');
    const agent = await lab.resume("ollama/ok");
    expect(await ask(agent, "hello")).toMatchObject({ kind: "success" });
    await agent.close();
    const sent = lab.server.asked()[0]?.text ?? "";
    for (const said of ["first", "second", "hello"]) expect(sent).toContain(said);
    const broken = (await lab.lines()).filter((line) => line !== "" && !parses(line));
    expect(broken).toEqual(['{"type":"message","id":"m3","parentId":"m2","mess']);
    expect(notices(lab.events)).toEqual([expect.stringContaining("s.jsonl:4")]);
    const again = await lab.resume("ollama/ok");
    expect(again.context.messages().map(contentText)).toEqual(agent.context.messages().map(contentText));
  });

  it("goes on after a glued line in the middle, and says where it is", async () => {
    const lab = await stored(good);
    const glued = `{"id":"x","seq":3,"pa${JSON.stringify(user(3, "kept?"))}`;
    const later = [
      JSON.stringify({ ...user(4, "later"), parent: base(3).id }),
      JSON.stringify(result(5, "none")),
    ];
    await appendFile(lab.file, `${[glued, ...later].join("\n")}\n`);
    const agent = await lab.resume("ollama/ok");
    expect(await ask(agent, "hello")).toMatchObject({ kind: "success" });
    const sent = lab.server.asked()[0]?.text ?? "";
    for (const said of ["first", "kept?", "later", "hello"]) expect(sent).toContain(said);
    expect(notices(lab.events)).toEqual([expect.stringContaining("s.jsonl:4")]);
    expect(await lab.lines()).toContain(glued);
  });

  it("with half an emoji in it is taken by a strict server, and nothing else of it changes", async () => {
    const lab = await stored([user(1, "cut"), called(2, "k1"), result(3, "k1", "cut here MARK é🙂")]);
    await writeFile(lab.file, (await readFile(lab.file, "utf8")).replace("MARK", "\\ud83d"));
    for (const wire of WIRES) {
      const agent = await lab.resume(`${wire}/ok`);
      expect(await ask(agent, "half: x\udc00y")).toMatchObject({ kind: "success" });
      expect(lab.server.asked().at(-1)).toMatchObject({ status: 200, text: expect.stringContaining("é🙂") });
      for (const item of agent.context)
        if (isMessage(item)) expect(contentText(item)).toBe(contentText(item).toWellFormed());
      await agent.close();
    }
  });
});

function parses(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
