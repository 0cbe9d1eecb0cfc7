import { expect, it } from "vitest";
import { ask, openAgent } from "./support/open-agent.js";
import { calls, scripted, text } from "./support/scripted-stream.js";

it("answers a prompt and ends with one result", async () => {
  const { stream, requests } = scripted(text("hi there"));
  const { agent, events } = await openAgent({ stream });
  const result = await ask(agent);
  expect(result).toMatchObject({ status: "completed", kind: "success", exitCode: 0, requests: 1 });
  expect(requests).toHaveLength(1);
  expect(events.map(({ type }) => type)).toEqual([
    "start",
    "text_start",
    "text_delta",
    "text_end",
    "done",
    "result",
  ]);
  expect(agent.context.items()).toMatchObject([
    { type: 2, content: [{ type: "text", text: "hello" }] },
    { type: 3, content: [{ type: "text", text: "hi there" }] },
  ]);
});

it("runs a safe tool of the host and sends its result back", async () => {
  const { stream, requests } = scripted(calls([{ name: "double", args: { n: 21 } }]), text("42"));
  const { agent, events } = await openAgent({
    stream,
    toolDescriptions: {
      double: {
        description: "Doubles a number.",
        safe: true,
        inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        fn: ({ n }: { n: number }) => String(n * 2),
      },
    },
  });
  const result = await ask(agent);
  expect(result).toMatchObject({ kind: "success", requests: 2 });
  expect(requests[1]?.context.at(-1)).toMatchObject({ type: 4, content: [{ type: "text", text: "42" }] });
  expect(events.map(({ type }) => type).filter((type) => type.startsWith("tool_"))).toEqual([
    "tool_call_start",
    "tool_call_end",
    "tool_execute",
    "tool_result",
  ]);
});
