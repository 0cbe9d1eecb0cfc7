import { setTimeout as sleep } from "node:timers/promises";
import type { AfterTool, Interceptor } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { callTools, safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, scripted } from "../support/scripted-stream.js";

const after = (afterTool: NonNullable<Interceptor["afterTool"]>): Interceptor => ({
  name: "censor",
  afterTool,
});
const tell = safeTool(() => ({ result: "the secret", display: "shown" }));
const callTell = (interceptors: readonly Interceptor[], rest: object = {}) =>
  callTools([{ name: "tell" }], { tell }, { interceptors, ...rest });

describe("a hook after a call", () => {
  it("sees what came of it", async () => {
    const seen: AfterTool[] = [];
    await callTell([after((call) => void seen.push(call))]);
    expect(seen).toMatchObject([
      {
        name: "tell",
        arguments: {},
        content: [{ type: "text", text: "the secret" }],
        error: false,
        display: [{ type: "text", text: "shown" }],
      },
    ]);
  });

  it("replaces field by field, one after the other", async () => {
    const { results, events } = await callTell([
      after(() => ({ content: "redacted" })),
      after(({ content }) => ({ error: true, content: [...content, { type: "text", text: "again" }] })),
      after(() => ({ display: null })),
    ]);
    expect(results[0]?.error).toBe(true);
    expect(textOf(results[0] ?? { content: [] })).toMatch(/^redacted\n+again$/);
    const event = events.find(({ type }) => type === "tool_result");
    expect(event).not.toHaveProperty("display");
    expect(JSON.stringify(events)).not.toContain("the secret");
  });

  it("changes nothing by writing to what it was shown", async () => {
    const { texts, result } = await callTell([
      after(({ content }) => {
        for (const block of content) Object.assign(block, { text: "forged" });
      }),
    ]);
    // Frozen data refuses the write, and a hook that fails keeps the result back.
    expect(texts[0]).toMatch(/^tell ran, but its result is withheld: /);
    expect(result).toMatchObject({ kind: "success" });
  });

  it("is asked about a tool that failed, and about none that did not run", async () => {
    const seen: string[] = [];
    await callTools(
      [{ name: "broken" }, { name: "none" }, { name: "tell" }],
      {
        tell,
        broken: safeTool(() => {
          throw new Error("it broke");
        }),
      },
      {
        interceptors: [
          { name: "veto", beforeTool: ({ name }) => (name === "tell" ? { block: "no" } : undefined) },
          after(({ name, error }) => void seen.push(`${name} ${error}`)),
        ],
      },
    );
    expect(seen).toEqual(["broken true"]);
  });

  it.each([
    {
      why: "throws",
      hook: () => {
        throw new Error("no scanner");
      },
      says: "failed: no scanner",
    },
    { why: "hangs", hook: () => new Promise<undefined>(() => {}), says: "gave no answer within 50 ms" },
    { why: "makes a typo", hook: () => ({ contents: "redacted" }) as never, says: "write content" },
  ])("keeps the result back when it $why, and the run goes on", async ({ hook, says }) => {
    const { texts, result, events } = await callTell([after(hook)], { toolCall: { timeout: 50 } });
    expect(texts[0]).toMatch(/^tell ran, but its result is withheld: /);
    expect(texts[0]).toContain(says);
    expect(result).toMatchObject({ kind: "success", requests: 2 });
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain("the secret");
  });

  it("is not waited for once the run is cancelled; what it had not seen is withheld", async () => {
    const { stream } = scripted(calls([{ name: "tell" }]));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { tell },
      interceptors: [
        after(() => {
          setTimeout(() => agent.cancel(), 5);
          return new Promise(() => {});
        }),
      ],
    });
    const began = Date.now();
    expect(await ask(agent)).toMatchObject({ kind: "cancelled" });
    expect(Date.now() - began).toBeLessThan(5_000);
    const [result] = toolResults(agent.context.items());
    expect(result && textOf(result)).toBe(
      'tell ran, but its result is withheld: the run was cancelled before the hook "censor" had seen it.',
    );
  });

  it("cannot hold up a cancel by never answering its signal", async () => {
    const { stream } = scripted(calls([{ name: "tell" }, { name: "tell" }]));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { tell },
      interceptors: [after(() => sleep(60_000, undefined, { ref: false }))],
    });
    agent.send("go");
    const running = agent.run();
    await sleep(30);
    agent.cancel();
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect(toolResults(agent.context.items())).toHaveLength(2);
  });
});
