import { describe, expect, it } from "vitest";
import { safeTool } from "./support/call-tools.js";
import { ask, openAgent } from "./support/open-agent.js";
import { scripted, text } from "./support/scripted-stream.js";

const open = (rest: object = {}) =>
  openAgent({
    stream: scripted(text("ok")).stream,
    toolDescriptions: {
      look: safeTool((args: object) => JSON.stringify(args)),
      vault: safeTool(() => "opened", { secret: true }),
      fail: safeTool(() => {
        throw new Error("no luck");
      }),
    },
    ...rest,
  });

describe("a call by hand", () => {
  it("goes the way of all calls, and joins no context", async () => {
    const { agent, events } = await open();
    const result = await agent.toolCall("look", { a: 1 });
    expect(result).toMatchObject({
      type: "tool_result",
      name: "look",
      content: [{ type: "text", text: '{"a":1}' }],
    });
    expect(events.map(({ type }) => type)).toEqual(["tool_execute", "tool_result"]);
    expect(agent.context.length).toBe(0);
  });

  it("may be of a secret tool, which no model is told of", async () => {
    const { agent } = await open();
    expect([...(await agent.tools).keys()]).not.toContain("vault");
    expect(await agent.toolCall("vault")).toMatchObject({ content: [{ text: "opened" }] });
  });

  it.each([
    { why: "the tool fails", name: "fail", says: "no luck" },
    { why: "there is no such tool", name: "loook", says: 'Did you mean "look"?' },
    { why: "the agent was given other tools", name: "look", options: { tools: ["fail"] }, says: "no tool" },
  ])("resolves with the failure when $why", async ({ name, options, says }) => {
    const { agent } = await open(options);
    const result = await agent.toolCall(name);
    expect(result.error).toBe(true);
    expect(JSON.stringify(result.content)).toContain(says.replaceAll('"', '\\"'));
  });

  it("is refused while a run is under way, and after the close", async () => {
    const { agent } = await open();
    const running = ask(agent);
    await expect(agent.toolCall("look")).rejects.toMatchObject({ kind: "busy" });
    await running;
    await agent.close();
    await expect(agent.toolCall("look")).rejects.toMatchObject({ kind: "closed" });
  });

  it("finds nothing to undo where no files of the user are kept", async () => {
    const { agent } = await open();
    expect(await agent.changes()).toEqual([]);
    await expect(agent.undo()).rejects.toMatchObject({ kind: "undo" });
  });
});
