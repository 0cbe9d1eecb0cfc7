import { join } from "node:path";
import type { ToolDescription, ToolEnv } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { openProject } from "../open-project.js";
import { put } from "../temp-folder.js";
import { messagesOf, toolFolder, toolSource } from "./tool-folder-fixture.js";

const tool = (supplement: ToolDescription["supplement"]): ToolDescription => ({
  description: "Chooses.",
  safe: true,
  inputSchema: { type: "object" },
  fn: () => "ok",
  ...(supplement === undefined ? {} : { supplement }),
});

describe("what a tool adds to its description", () => {
  it("is asked for each time it is published, with the skills that were seen last", async () => {
    const names = ({ knownSkills = [] }: ToolEnv): string => knownSkills.map(({ name }) => name).join(", ");
    const { env, folder } = await openProject({ options: { tools: [{ t: tool(names) }] } });
    const published = (): string | undefined => env.toolDescriptors()[0]?.description;
    expect(published()).toBe("Chooses.");
    await put(join(folder, "ai-skills/a/SKILL.md"), "---\nname: a\ndescription: d\n---\n");
    expect(published()).toBe("Chooses.");
    await env.skills();
    expect(published()).toBe("Chooses.\na");
    expect(env.tools().get("t")?.description).toBe("Chooses.");
  });

  it.each([
    {
      why: "it throws",
      supplement: () => {
        throw new Error("no idea");
      },
      says: "no idea",
    },
    { why: "it is too long", supplement: () => "x".repeat(16_385), says: "at most 16384" },
    // A host's mistake that the compiler would refuse.
    { why: "it is no text", supplement: (() => 7) as never, says: "it gave number" },
  ])("is left out and said once: $why", async ({ supplement, says }) => {
    const { env } = await openProject({ options: { tools: [{ t: tool(supplement) }] } });
    for (let round = 0; round < 2; round += 1) {
      expect(env.toolDescriptors()).toMatchObject([{ name: "t", description: "Chooses." }]);
    }
    expect(messagesOf(env).split("\n")).toEqual([expect.stringContaining(says)]);
  });

  it("has to be a function", async () => {
    const { env } = await openProject({ options: { tools: [{ t: tool("text" as never) }] } });
    expect(messagesOf(env)).toContain("supplement must be a function");
  });
});

describe("a refresh", () => {
  it("says which tools there are, which came and went, and what is wrong", async () => {
    const root = await toolFolder({ "a.js": toolSource("a", "1") });
    const { env } = await openProject({ options: { tools: [root] } });
    await put(join(root, "b.js"), toolSource("b", "2"));
    await put(join(root, "c.js"), "throw new Error('not today')");
    const result = await env.toolsRefresh();
    expect(result).toMatchObject({ tools: ["a", "b"], added: ["b"], removed: [] });
    expect(result.problems).toEqual([expect.stringContaining("not today")]);
  });
});
