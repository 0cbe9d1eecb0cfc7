import { Agent } from "@ashlar/agent";
import { messageUser, requestView } from "@ashlar/context";
import type { ToolContext, ToolDescriptions, ToolModule } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { callTools, safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

/** The tool as it is built. */
async function standardNote(): Promise<ToolDescriptions> {
  const file = new URL("../../../tools-std/dist/tools/note.js", import.meta.url);
  // The module says what it exports.
  const module = (await import(file.href)) as ToolModule & {
    readonly note: NonNullable<ToolDescriptions[string]["fn"]>;
  };
  const { note } = module.toolDescription?.({ cwd: "/", settings: {} }) ?? {};
  if (note === undefined) throw new Error("build @ashlar/tools-std first");
  return { note: { ...note, fn: module.note } };
}

const set = (title: string, fields: object) => ({
  name: "note",
  id: `set-${title}`,
  args: { action: "set", notes: [{ title, fields }] },
});
const list = (id: string) => ({ name: "note", id, args: { action: "list" } });

describe("the notes of a conversation", () => {
  it("are seen by no model, overlap in one batch, survive a compaction and follow forks and edits", async () => {
    const { stream, requests } = scripted(
      calls([set("a", { secret: "s1" }), set("b", {})]),
      text("noted"),
      calls([list("l1")]),
      text("listed"),
    );
    const { agent } = await openAgent({ stream, toolDescriptions: await standardNote() });
    const shown = async (of: Agent): Promise<unknown> =>
      (await of.toolCall("note", { action: "list" })).content;
    await ask(agent);
    expect(JSON.stringify(requestView(requests[1]?.context ?? []))).not.toContain("tool:note");
    agent.context.compact({ firstKept: agent.context.length, summary: messageUser("What was said.") });
    expect(agent.context.length).toBe(2);
    await ask(agent);
    const results = toolResults(agent.context.items());
    expect(results.map(textOf)).toEqual(["b\na"]);
    const fork = await Agent.fork(agent);
    await fork.toolCall("note", { action: "remove", notes: ["a"] });
    expect(await shown(fork)).toEqual([{ type: "text", text: "b" }]);
    expect(await shown(agent)).toEqual([{ type: "text", text: "b\na" }]);
    await agent.toolCall("note", { action: "set", notes: ["c"] });
    agent.context.undo();
    expect(await shown(agent)).toEqual([{ type: "text", text: "b\na" }]);
    await fork.close();
  });
});

describe("the records of a tool", () => {
  const using = (use: (records: NonNullable<ToolContext["records"]>) => Promise<unknown>) =>
    safeTool(async (_: object, { records }: ToolContext) => {
      if (records === undefined) throw new Error("no records");
      return JSON.stringify((await use(records)) ?? null);
    });

  it("are its own: the newest of each type", async () => {
    const { texts, agent } = await callTools([{ name: "keep" }, { name: "other" }], {
      keep: using(async (records) => {
        await records.append("tool:keep", 1);
        await records.append("tool:keep:x", 2);
        await records.append("tool:keep", [3]);
        return [await records.latest("tool:keep"), await records.latest("tool:keep:x")];
      }),
      other: using((records) => records.latest("tool:other")),
    });
    expect(texts).toEqual(["[[3],2]", "null"]);
    expect(agent.context.items().filter(({ type }) => type === "tool:keep")).toEqual([
      { type: "tool:keep", value: 1 },
      { type: "tool:keep", value: [3] },
    ]);
  });

  it.each([
    { why: "another tool's", type: "tool:note" },
    { why: "one whose name begins the same", type: "tool:forgery" },
    { why: "the host's", type: "session" },
    { why: "none", type: "" },
  ])("are not $why", async ({ type }) => {
    const { texts, agent } = await callTools([{ name: "forge" }, { name: "peek" }], {
      forge: using((records) => records.append(type, 1)),
      peek: using((records) => records.latest(type)),
    });
    expect(texts[0]).toContain("is no record of forge; its types are tool:forge and tool:forge:…");
    expect(texts[1]).toContain("is no record of peek");
    expect(agent.context.items().some((item) => item.type === type)).toBe(false);
  });

  it("tell whether the conversation still has a call, and no failure for its result", async () => {
    const seen: unknown[] = [];
    const look = using(async (records) => {
      const ids = ["first", "failing", "look", "nobody"];
      seen.push(await Promise.all(ids.map((id) => records.holds(id))));
    });
    const { stream } = scripted(
      calls([
        { name: "first", id: "first" },
        { name: "failing", id: "failing" },
        { name: "look", id: "look" },
      ]),
      text("one"),
      calls([{ name: "look", id: "look" }]),
      text("two"),
    );
    const failing = safeTool(() => {
      throw new Error("no");
    });
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { first: safeTool(() => "ok"), failing, look },
    });
    await ask(agent);
    // The call that asks has no result yet, and counts.
    expect(seen[0]).toMatchObject([true, expect.any(Boolean), true, false]);
    await agent.toolCall("look");
    expect(seen[1]).toEqual([true, false, true, false]);
    agent.context.compact({ firstKept: agent.context.length, summary: messageUser("What was said.") });
    await agent.toolCall("look");
    expect(seen[2]).toEqual([false, false, false, false]);
  });

  it("are bounded, JSON, and closed with the call", async () => {
    let kept: ToolContext["records"];
    const { texts, agent } = await callTools([{ name: "big" }, { name: "late" }], {
      big: using((records) => records.append("tool:big", "x".repeat(1_048_576))),
      late: safeTool((_: object, { records }: ToolContext) => {
        kept = records;
        return "left";
      }),
    });
    expect(texts[0]).toContain("has 1048578 characters; at most 1048576 fit");
    await expect(kept?.append("tool:late", 1)).rejects.toMatchObject({ kind: "usage" });
    expect(agent.context.items().every(({ type }) => typeof type === "number")).toBe(true);
  });
});
