import type { ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { callTools, safeTool } from "../support/call-tools.js";

const anything = { type: "object" } as const;

describe("a tool that may not run", () => {
  const tools: ToolDescriptions = {
    write: { description: "Writes.", inputSchema: anything, fn: () => "written" },
    look: safeTool(() => "seen"),
    boxed: safeTool(() => "boxed", { sandbox: true }),
  };

  it("is refused when it is a function of the host, which no sandbox takes, and the run ends with code 7", async () => {
    const { texts, result, events } = await callTools([{ name: "write" }, { name: "look" }], tools);
    expect(texts[0]).toContain("only a tool that is a module file can run in a sandbox");
    expect(texts[1]).toBe("seen");
    expect(result).toMatchObject({
      status: "completed",
      kind: "refused",
      exitCode: 7,
      refused: [{ tool: "write", reason: expect.stringContaining("function of the host") }],
    });
    expect(events.find((event) => event.type === "tool_result")).toMatchObject({
      refused: expect.stringContaining("function of the host"),
    });
    expect(events.filter(({ type }) => type === "tool_execute")).toHaveLength(1);
  });

  it("is refused when it wants a sandbox although it is safe", async () => {
    const { result } = await callTools([{ name: "boxed" }], tools);
    expect(result.kind).toBe("refused");
  });

  it("is refused when the agent may only read, whatever the sandbox", async () => {
    const { texts } = await callTools([{ name: "write" }], tools, { can: { write: false } });
    expect(texts[0]).toContain("this agent may only read");
  });

  it("is a safe one called with arguments that change something", async () => {
    const target = { readOnly: (args: { target?: string }) => args.target === undefined };
    const { texts } = await callTools(
      [
        { name: "copy", args: {} },
        { name: "copy", args: { target: "b" } },
      ],
      { copy: safeTool(() => "read", target) },
    );
    expect(texts[0]).toBe("read");
    expect(texts[1]).toContain("only a tool that is a module file");
  });
});

it("tells a tool that asks a person that nobody is there", async () => {
  const { texts, result } = await callTools([{ name: "asking" }], {
    asking: safeTool(() => "?", { interactive: true }),
  });
  expect(texts[0]).toContain("nobody is there");
  expect(result.kind).toBe("success");
});

it("gives a tool what it needs to work, and nothing to write with", async () => {
  let seen: ToolContext | undefined;
  const { env } = await callTools([{ name: "look", id: "c1" }], {
    look: safeTool((_args: unknown, context: ToolContext) => {
      seen = context;
      return "";
    }),
  });
  expect(seen).toMatchObject({
    call: { callId: "c1", name: "look" },
    agent: { folder: env.cwd },
    safe: true,
    question: null,
    env: { cwd: env.cwd },
  });
});
