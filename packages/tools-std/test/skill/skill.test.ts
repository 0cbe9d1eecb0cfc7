import type { JsonValue } from "@ashlar/context";
import type { ToolContent, ToolRecords } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import type { SkillInput } from "../../src/skill/skill-input.js";
import * as tool from "../../src/tools/skill.js";
import { failureOf } from "../support/failure.js";
import { project, toolContext } from "../support/project.js";
import { skillHost } from "../support/skills.js";

interface Conversation {
  readonly skill: (input: SkillInput, callId?: string) => Promise<string>;
  /** Calls whose results are gone from it. */
  readonly forgotten: Set<string>;
  readonly added: JsonValue[];
}

/** The tool over a conversation that holds every call until it is forgotten. */
function conversation(content: Partial<ToolContent>): Conversation {
  const added: JsonValue[] = [];
  const forgotten = new Set<string>();
  const records: ToolRecords = {
    latest: async () => added.at(-1),
    append: async (type, value) => {
      expect(type).toBe("tool:skill");
      added.push(value);
    },
    holds: async (callId) => !forgotten.has(callId),
  };
  const folder = project();
  const skill: Conversation["skill"] = (input, callId = "c1") =>
    tool.skill(input, toolContext(folder, { content, records, callId }));
  return { skill, forgotten, added };
}

describe("a list of skills", () => {
  const host = skillHost({ a: {}, b: { description: "x".repeat(500) }, secret: { forModel: false } });

  it.each([{}, { names: [] }])("has one line for each that a model may use: %j", async (input) => {
    const { skill, added } = conversation(host);
    expect(await skill(input)).toBe(`- a: Does a.\n- b: ${"x".repeat(239)}…`);
    expect(added).toEqual([]);
  });

  it("says when there is none", async () => {
    expect(await conversation(skillHost({ secret: { forModel: false } })).skill({})).toBe(
      "[There are no skills.]",
    );
  });

  it("stands in the description of the tool, bounded, the rest as names", () => {
    const { supplement } = tool.toolDescription().skill ?? {};
    const env = { cwd: "/", settings: {} };
    expect(supplement?.({ ...env, ...host })).toBe(`Skills:\n- a: Does a.\n- b: ${"x".repeat(239)}…`);
    expect(supplement?.(env)).toBe("No skill is known here now.");
    const many = skillHost(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`skill-${at}`, {}])));
    const text = supplement?.({ ...env, ...many }) ?? "";
    expect(text.length).toBeLessThan(10_000);
    expect(text).toMatch(/\[\d+ more: skill-\d+, /);
  });
});

describe("a skill that is asked for", () => {
  it("is given with the names of its files, once", async () => {
    const { skill, added } = conversation(skillHost({ a: { files: { "x/y.md": "1", z: "2" } }, b: {} }));
    expect(await skill({ names: ["a"] })).toBe(
      '<skill name="a">\nBody of a.\n</skill>\n[Files of a, for the tool resource: x/y.md, z]',
    );
    expect(await skill({ names: ["b", "a", "b"] }, "c2")).toBe(
      '<skill name="b">\nBody of b.\n</skill>\n\n[The skill a is in this conversation already.]',
    );
    expect(added.at(-1)).toMatchObject({
      skills: [
        { name: "a", callId: "c1" },
        { name: "b", callId: "c2" },
      ],
    });
    expect(await skill({ names: ["a", "b"] }, "c3")).not.toContain("Body");
    expect(added).toHaveLength(2);
  });

  it("is given again when the conversation has lost it, or when it has changed", async () => {
    const skills = { a: { body: "one" } };
    const { skill, forgotten } = conversation({
      ...skillHost(skills),
      skill: async (name) => ({ name, description: "", forModel: true, body: skills.a.body }),
    });
    await skill({ names: ["a"] }, "c1");
    forgotten.add("c1");
    expect(await skill({ names: ["a"] }, "c2")).toBe('<skill name="a">\none\n</skill>');
    expect(await skill({ names: ["a"] }, "c3")).toContain("already");
    skills.a.body = "two";
    expect(await skill({ names: ["a"] }, "c4")).toMatch(
      /^\[The skill a has changed .*\]\n\n<skill name="a">\ntwo/,
    );
    expect(await skill({ names: ["a"] }, "c5")).toContain("already");
  });

  it("is given once to calls that run at the same time", async () => {
    const { skill } = conversation(skillHost({ a: {} }));
    const texts = await Promise.all(["c1", "c2", "c3"].map((callId) => skill({ names: ["a"] }, callId)));
    expect(texts.filter((text) => text.includes("Body of a."))).toHaveLength(1);
  });

  it.each([
    { why: "null", value: null },
    { why: "another shape", value: { skills: "x" } },
    { why: "odd entries", value: { skills: [1, { name: "a" }, { name: 2, callId: "c", digest: "d" }] } },
  ])("does not mind a record of $why", async ({ value }) => {
    const { skill, added } = conversation(skillHost({ a: {} }));
    added.push(value);
    expect(await skill({ names: ["a"] })).toContain("Body of a.");
  });

  it("needs no conversation", async () => {
    const context = toolContext(project(), { content: skillHost({ a: {} }) });
    expect(await tool.skill({ names: ["a"] }, context)).toContain("Body of a.");
  });
});

describe("a call that cannot be", () => {
  it.each([
    { why: "one is not there", names: ["a", "nobody"], says: 'no skill "nobody"' },
    { why: "one is not for models", names: ["a", "secret"], says: "refused: The skill secret is for people" },
    { why: "they are too much", names: ["a", "huge"], says: "usage: names: 2000" },
    { why: "there are too many names", names: Array(17).fill("a"), says: "at most 16" },
    { why: "a name is no text", names: [7], says: "names[0]" },
    { why: "names are no list", names: "a", says: "wanted a list" },
  ])("gives nothing at all: $why", async ({ names, says }) => {
    const { skill, added } = conversation(
      skillHost({ a: {}, secret: { forModel: false }, huge: { body: "x".repeat(200_000) } }),
    );
    // What a model sends need not fit the schema.
    expect(await failureOf(skill({ names } as SkillInput))).toContain(says);
    expect(added).toEqual([]);
  });

  it("says that a host has none, and which field is unknown", async () => {
    expect(await failureOf(conversation({}).skill({}))).toMatch(/^refused: There are no skills here/);
    // A model's own idea of the arguments.
    const input = { name: "a" } as SkillInput;
    expect(await failureOf(conversation({}).skill(input))).toBe(
      'usage: skill has no field "name"; did you mean names?.',
    );
  });
});
