import type { QuestionBridge } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { toolRefresh } from "../../src/refresh/tool-refresh.js";
import { failureOf } from "../support/failure.js";
import { person, project, toolContext } from "../support/project.js";
import { skillHost } from "../support/skills.js";

describe("tool-refresh", () => {
  it("says what there is, what came and went, and what is wrong with tools and hooks", async () => {
    const context = toolContext(project(), {
      content: {
        ...skillHost({}),
        toolsRefresh: async () => ({
          tools: ["a", "b"],
          added: ["b"],
          removed: ["c"],
          problems: Array.from({ length: 20 }, (_, at) => `tool ${at}`),
        }),
        hooksRefresh: async () => [{ message: "hook x.js failed" }],
      },
    });
    const lines = (await toolRefresh({}, context)).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "Loaded 2 tools; they count from the next request on.",
      "New: b.",
      "Gone: c.",
      "Problem: tool 0",
    ]);
    expect(lines.at(-1)).toBe("[1 more problems.]");
  });

  it("is short when all is as it was", async () => {
    expect(await toolRefresh({}, toolContext(project(), { content: skillHost({}) }))).toBe(
      "Loaded 2 tools; they count from the next request on.",
    );
  });

  it.each([
    { why: "in it", code: (folder: string) => `${folder}/hooks` },
    { why: "it", code: (folder: string) => folder },
    { why: "around it", code: (folder: string) => folder.slice(0, folder.lastIndexOf("/")) },
  ])("loads code that lies where the agent writes only when a person allows it: $why", async ({ code }) => {
    const folder = project();
    const content = { ...skillHost({}), codeFolders: async () => ["/usr/lib/tools", code(folder)] };
    const refresh = (question?: QuestionBridge): Promise<string> =>
      toolRefresh({}, toolContext(folder, { content, ...(question && { question }) }));
    expect(await failureOf(refresh())).toMatch(/^refused: Nothing was loaded: .*Nobody is there/);
    for (const label of ["Refuse", undefined])
      expect(await failureOf(refresh(person(label).bridge))).toContain("did not allow it");
    const allowing = person("Allow");
    expect(await refresh(allowing.bridge)).toContain("Loaded 2 tools");
    expect(allowing.asked[0]?.question).toContain(code(folder));
    expect(allowing.asked[0]?.question).not.toContain("/usr/lib/tools");
  });

  it("says that a host cannot do it", async () => {
    expect(await failureOf(toolRefresh({}, toolContext(project())))).toMatch(/^refused: /);
  });
});
