import { setTimeout as sleep } from "node:timers/promises";
import type { ToolContext } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { callTools, safeTool } from "../support/call-tools.js";

describe("the time of a call", () => {
  it("ends a tool that ignores its signal, and its late output goes nowhere", async () => {
    let late: (() => void) | undefined;
    const stubborn = safeTool(
      async (_args: unknown, { onData }: ToolContext) =>
        new Promise<string>((resolve) => {
          late = () => {
            onData("too late");
            resolve("too late");
          };
        }),
    );
    const { texts, results, events, result } = await callTools(
      [{ name: "stubborn" }],
      { stubborn },
      { toolCall: { timeout: 30 } },
    );
    late?.();
    await sleep(5);
    expect(texts[0]).toContain("stubborn did not finish within 30 ms");
    expect(results[0]?.error).toBe(true);
    expect(events.some(({ type }) => type === "tool_data")).toBe(false);
    expect(result.kind).toBe("success");
  });

  it("is asked for with an argument that the tool does not see", async () => {
    const inputSchema = { type: "object", properties: { timeout: { type: ["integer", "string"] } } };
    const show = safeTool(
      (args: unknown, { deadline }: ToolContext) =>
        `${JSON.stringify(args)} ${deadline - Date.now() > 1_150_000}`,
      { inputSchema },
    );
    const { texts } = await callTools(
      [
        { name: "show", args: { timeout: "5h" } },
        { name: "show", args: { timeout: "soon" } },
      ],
      { show },
    );
    expect(texts[0]).toBe("{} true");
    expect(texts[1]).toContain("timeout");
  });

  it("is the tool's own business when its schema does not declare it", async () => {
    const { texts } = await callTools([{ name: "plain", args: { timeout: 5 } }], {
      plain: safeTool((args: unknown) => JSON.stringify(args)),
    });
    expect(texts[0]).toBe('{"timeout":5}');
  });

  it("leaves the tool a last word", async () => {
    const { texts, results } = await callTools(
      [{ name: "slow" }],
      { slow: safeTool(() => new Promise<string>(() => {}), { onTimeout: () => "half of it" }) },
      { toolCall: { timeout: 10 } },
    );
    expect(texts[0]).toBe("half of it");
    expect(results[0]?.error).toBeUndefined();
  });

  it("stands still while a person answers", async () => {
    const asking = safeTool(
      async (_args: unknown, { question }: ToolContext) => JSON.stringify(await question?.ask([])),
      { interactive: true },
    );
    const question = { ask: () => sleep(80, [{ text: "blue" }]) };
    const { texts } = await callTools(
      [{ name: "asking" }],
      { asking },
      { toolCall: { timeout: 30 }, question },
    );
    expect(texts[0]).toBe('[{"text":"blue"}]');
  });
});
