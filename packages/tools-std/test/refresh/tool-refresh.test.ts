import { describe, expect, it } from "vitest";
import { toolRefresh } from "../../src/refresh/tool-refresh.js";
import { failureOf } from "../support/failure.js";
import { project, toolContext } from "../support/project.js";
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

  it("says that a host cannot do it", async () => {
    expect(await failureOf(toolRefresh({}, toolContext(project())))).toMatch(/^refused: /);
  });
});
