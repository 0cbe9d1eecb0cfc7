import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "@ashlar/agent";
import type { Message } from "@ashlar/context";
import type { ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { callTools, safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const anything = { type: "object" } as const;

describe("calls of one response", () => {
  it("overlap, at most three at a time, and their results keep call order", async () => {
    let running = 0;
    let most = 0;
    const finished: number[] = [];
    const work = safeTool(async ({ n }: { n: number }) => {
      running += 1;
      most = Math.max(most, running);
      do await sleep(5);
      while (n === 0 && finished.length < 6);
      running -= 1;
      finished.push(n);
      return String(n);
    });
    const { texts, events } = await callTools(
      Array.from({ length: 7 }, (_, n) => ({ name: "work", args: { n } })),
      { work },
    );
    expect(most).toBe(3);
    expect(finished.at(-1)).toBe(0);
    expect(texts).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    const results = events.flatMap((event) => (event.type === "tool_result" ? [event.content[0]] : []));
    expect(results).toMatchObject(["0", "1", "2", "3", "4", "5", "6"].map((n) => ({ text: n })));
  });

  it("wait for one that is not safe, and it for them", async () => {
    const order: string[] = [];
    const tools: ToolDescriptions = {
      slow: safeTool(async ({ n }: { n: number }) => {
        order.push(`start ${n}`);
        await sleep(10);
        order.push(`end ${n}`);
        return "";
      }),
      write: { description: "Writes.", inputSchema: anything, fn: () => "" },
    };
    const slow = (n: number) => ({ name: "slow", args: { n } });
    await callTools([slow(1), slow(2), { name: "write" }, slow(3)], tools);
    expect(order.indexOf("start 3")).toBeGreaterThan(order.indexOf("end 1"));
    expect(order.indexOf("start 3")).toBeGreaterThan(order.indexOf("end 2"));
  });

  it("each have exactly one result, under an id of their own", async () => {
    const { results, agent } = await callTools(
      [{ name: "a", id: "x" }, { name: "a", id: "x" }, { name: "a" }, { name: "nope", id: "y" }],
      { a: safeTool(() => "a") },
    );
    expect(results.map(({ callId }) => callId)).toEqual(["x", "agent-1", "agent-2", "y"]);
    const asked = agent.context
      .messages()
      .find(({ content }) => content.some(({ type }) => type === "toolCall"));
    expect(asked?.content.map((block) => (block.type === "toolCall" ? block.callId : ""))).toEqual([
      "x",
      "agent-1",
      "agent-2",
      "y",
    ]);
  });

  it("do not share the fate of one that throws", async () => {
    const { texts, results, result } = await callTools([{ name: "bad" }, { name: "good" }], {
      bad: safeTool(() => {
        throw new Error("disk full");
      }),
      good: safeTool(() => "fine"),
    });
    expect(texts).toEqual(["disk full", "fine"]);
    expect(results.map(({ error }) => error)).toEqual([true, undefined]);
    expect(result.kind).toBe("success");
  });

  it("may return what no JSON can hold", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const odd = (value: unknown) => safeTool(() => value as never);
    const { texts } = await callTools(
      [{ name: "cyclic" }, { name: "bytes" }, { name: "nothing" }, { name: "huge" }],
      {
        cyclic: odd(cyclic),
        bytes: odd(new Uint8Array([1])),
        nothing: odd(undefined),
        huge: odd("z".repeat(3e6)),
      },
    );
    expect(texts.slice(0, 3)).toEqual(['{"self":"[circular]"}', "binary", "(no output)"]);
    expect(texts[3]).toContain("characters left out here");
  });
});

describe("what a tool has beside its result", () => {
  const tools = {
    note: safeTool(() => ({ result: "noted", system: ["first", "second"], display: "a picture" })),
  };

  it("joins the context after the batch and after queued user input", async () => {
    const { stream, requests } = scripted(calls([{ name: "note" }, { name: "note" }]), text("ok"));
    const { agent } = await openAgent({ stream, toolDescriptions: tools });
    agent.onEvent(Agent.EVENT.TOOL_RESULT, () => {
      if (agent.pending === 0) agent.send("and another thing");
    });
    await ask(agent);
    const after = requests[1]?.context
      .slice(2)
      .map((item) => [item.type, "content" in item ? textOf(item as Message) : ""]);
    expect(after?.map(([type]) => type)).toEqual([4, 4, 2, 1]);
    expect(after?.at(-1)?.[1]).toMatch(/first.*second/su);
  });

  it("is shown without reaching the model", async () => {
    const { events, requests, results } = await callTools([{ name: "note" }], tools);
    const shown = [{ type: "text", text: "a picture" }];
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({ display: shown });
    expect(results[0]?.display).toEqual(shown);
    expect(textOf(toolResults(requests[1]?.context ?? [])[0] as Message)).toBe("noted");
  });

  it("may be output while it runs", async () => {
    const chatty = safeTool((_args: unknown, { onData }: ToolContext) => {
      onData("half ");
      onData("way");
      return "done";
    });
    const { events } = await callTools([{ name: "chatty", id: "c1" }], { chatty });
    expect(
      events.filter(({ type }) => type.startsWith("tool_") && !type.startsWith("tool_call")),
    ).toMatchObject([
      { type: "tool_execute", callId: "c1", name: "chatty", arguments: {} },
      { type: "tool_data", callId: "c1", data: "half " },
      { type: "tool_data", callId: "c1", data: "way" },
      { type: "tool_result", callId: "c1", content: [{ text: "done" }] },
    ]);
  });
});
