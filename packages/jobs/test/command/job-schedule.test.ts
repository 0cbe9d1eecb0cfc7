import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonValue } from "@ashlar/context";
import type { Script } from "@ashlar/provider-test";
import { describe, expect, it } from "vitest";
import { toolsRoot } from "../../src/tools-root.js";
import { scriptedEnv } from "../support/scripted-env.js";
import { namesIn, projectWith } from "../support/temporary-folder.js";

interface Called {
  readonly text: string;
  readonly error: boolean;
  readonly root: string;
}

/** What a model is answered that calls the tool. */
async function call(
  args: JsonValue,
  agentOptions: { can?: { write: boolean }; folder?: string } = {},
): Promise<Called> {
  const root = await projectWith({ "a.md": "Do it.\n" });
  await mkdir(join(root, "part"));
  const script: Script = [[{ toolCall: { name: "job-schedule", arguments: args } }], [{ text: "done" }]];
  const env = await scriptedEnv(root, { script, tools: [toolsRoot] });
  const agent = await env.agentOpen({ model: "test/script", ...agentOptions });
  const results: Called[] = [];
  agent.subscribe((event) => {
    if (event.type !== "tool_result") return;
    const text = event.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    results.push({ text, error: event.error === true, root });
  });
  agent.send("Plan it.");
  await agent.run();
  await agent.close();
  const [result] = results;
  if (result === undefined) throw new Error("the tool was not called");
  return result;
}

describe("the tool job-schedule", () => {
  it("writes a task that a person's scheduler will run", async () => {
    const { text, root } = await call({
      action: "create",
      filename: "b.md",
      prompt: "Look.",
      schedule: { every: "1d" },
    });
    expect(text).toContain("The task is written");
    expect(text).toContain("every: 1d");
    expect(await namesIn(root, "tasks")).toEqual(["a.md", "b.md"]);
    expect(await namesIn(root, "completed")).toEqual([]);
  });

  it("lists the tasks, for an agent that may only read too", async () => {
    const { text } = await call({ action: "list" }, { can: { write: false } });
    expect(JSON.parse(text)).toEqual({ tasks: [{ filename: "a.md", enabled: true, schedule: "once" }] });
  });

  it.each([
    {
      why: "an agent that may only read",
      args: { action: "remove", filename: "a.md" },
      options: { can: { write: false } },
      says: "may only read",
    },
    {
      why: "an agent of a part of the project",
      args: { action: "list" },
      options: { folder: "part" },
      says: "whole project",
    },
    { why: "a call without a name", args: { action: "remove" }, options: {}, says: "needs a filename" },
    {
      why: "a task without a prompt",
      args: { action: "create", filename: "b.md" },
      options: {},
      says: "needs a prompt",
    },
    {
      why: "a schedule that is none",
      args: { action: "update", filename: "a.md", schedule: "daily" },
      options: {},
      says: "is no schedule",
    },
    { why: "another action", args: { action: "run", filename: "a.md" }, options: {}, says: "action" },
  ])("refuses $why", async ({ args, options, says }) => {
    const { text, error, root } = await call(args, options);
    expect(error).toBe(true);
    expect(text).toContain(says);
    expect(await namesIn(root, "tasks")).toEqual(["a.md"]);
  });
});
