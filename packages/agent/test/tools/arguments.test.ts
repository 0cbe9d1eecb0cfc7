import { describe, expect, it } from "vitest";
import { callTools, safeTool, textOf, toolResults } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const readSchema = {
  type: "object",
  properties: { path: { type: "string" }, offset: { type: "integer" }, limit: { type: "integer" } },
  required: ["path"],
};

describe("a tool that is not there", () => {
  it.each([
    { why: "a name in another case", name: "Read", near: 'Did you mean "read"?' },
    { why: "a name of an object member", name: "constructor", near: "" },
    { why: "no name", name: "", near: "" },
    { why: "a secret one", name: "hidden", near: "" },
  ])("is answered with the list: $why", async ({ name, near }) => {
    const { texts, result } = await callTools([{ name }], {
      read: safeTool(() => "never"),
      hidden: safeTool(() => "never", { secret: true }),
    });
    expect(texts[0]).toContain(`There is no tool ${JSON.stringify(name || "unnamed")}.`);
    expect(texts[0]).toContain(near);
    expect(texts[0]).toContain("The tools are: read.");
    expect(result.kind).toBe("success");
  });

  it("is one that the agent was not given", async () => {
    const { texts } = await callTools(
      [{ name: "b" }],
      { a: safeTool(() => "a"), b: safeTool(() => "b") },
      { tools: ["a"] },
    );
    expect(texts[0]).toContain("The tools are: a.");
  });

  it("says so when there are none at all", async () => {
    const { texts } = await callTools([{ name: "a" }], { a: safeTool(() => "a") }, { tools: [] });
    expect(texts[0]).toContain("This agent has no tools.");
  });
});

describe("arguments that are almost right", () => {
  const tools = { read: safeTool((args: unknown) => JSON.stringify(args), { inputSchema: readSchema }) };

  it("are read as what the schema wants, and the model is told", async () => {
    const { texts } = await callTools(
      [{ name: "read", args: { path: "a.txt", offset: "2", limit: "1" } }],
      tools,
    );
    expect(texts[0]).toContain('{"path":"a.txt","offset":2,"limit":1}');
    expect(texts[0]).toMatch(/Note: .*offset.*limit/su);
  });

  it("may come as JSON text", async () => {
    const { texts } = await callTools([{ name: "read", args: '{"path":"a.txt"}' }], tools);
    expect(texts[0]).toContain('{"path":"a.txt"}');
  });

  it("may be missing when nothing is wanted", async () => {
    const { texts } = await callTools([{ name: "now", args: "" }], {
      now: safeTool((args: unknown) => JSON.stringify(args)),
    });
    expect(texts[0]).toBe("{}");
  });

  it.each([
    { why: "an array for a text", args: { path: ["a.txt"] }, named: "path" },
    { why: "a word for a number", args: { path: "a.txt", limit: "abc" }, named: "limit" },
    { why: "a missing field", args: {}, named: "path" },
  ])("are an error that names the field: $why", async ({ args, named }) => {
    const { results, texts, requests, result } = await callTools([{ name: "read", args }], tools);
    expect(results[0]?.error).toBe(true);
    expect(texts[0]).toContain(named);
    expect(requests).toHaveLength(2);
    expect(result.kind).toBe("success");
  });
});

describe("arguments that were cut", () => {
  const raw = '{"path":"notes.md","content":"# Plan\\n1. fi';
  const tools = { write: safeTool(() => "written", { inputSchema: { type: "object" } }) };

  it.each(["length", "toolCalls", "stop"] as const)(
    "are never run, whatever the finish word: %s",
    async (reason) => {
      let ran = false;
      const { stream, requests } = scripted(calls([{ name: "write", args: raw }], reason));
      const { agent, events } = await openAgent({
        stream,
        toolDescriptions: {
          write: safeTool(() => {
            ran = true;
            return "written";
          }),
        },
      });
      const result = await ask(agent);
      expect(ran).toBe(false);
      expect(requests).toHaveLength(3);
      expect(result).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "cut" } });
      for (const each of toolResults(agent.context.items())) {
        expect(each.error).toBe(true);
        expect(textOf(each)).toMatch(/cut.*smaller pieces/su);
      }
      expect(events.some(({ type }) => type === "tool_execute")).toBe(false);
    },
  );

  it("do not keep the other calls of their response from running", async () => {
    const { texts } = await callTools([{ name: "write", args: raw }, { name: "write" }], tools);
    expect(texts[0]).toContain("not whole JSON");
    expect(texts[1]).toBe("written");
  });

  it("stop every call of a response that the output limit ended", async () => {
    const { stream } = scripted(
      calls([{ name: "write" }, { name: "write", args: raw }], "length"),
      text("ok"),
    );
    const { agent } = await openAgent({ stream, toolDescriptions: tools });
    await ask(agent);
    expect(toolResults(agent.context.items()).every(({ error }) => error === true)).toBe(true);
  });
});
