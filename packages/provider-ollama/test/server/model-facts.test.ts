import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { factsOfShow, factsOfTag } from "../../src/server/model-facts.js";
import { fixtureJson } from "../fixture.js";

const shows = [
  {
    name: "show-switch",
    why: "true and false only",
    facts: { contextLength: 40960, thinking: ["off", "on"] },
  },
  {
    name: "show-levels",
    why: "levels only, in order",
    facts: { contextLength: 131072, thinking: ["low", "medium", "high"] },
  },
  {
    name: "show-mixed-levels",
    why: "levels and off, ordered by strength",
    facts: { contextLength: 163840, thinking: ["off", "low", "high", "max"] },
  },
  { name: "show-never-thinks", why: "a model that can only be off has no choice", facts: { thinking: [] } },
  {
    name: "show-before-thinking-values",
    why: "older servers name the capability only",
    facts: { thinking: ["off", "on"] },
  },
  {
    name: "show-gptoss-before-thinking-values",
    why: "this family takes levels and ignores booleans",
    facts: { thinking: ["low", "medium", "high"] },
  },
  {
    name: "show-vision",
    why: "no thinking",
    facts: { capabilities: ["completion", "vision"], thinking: [] },
  },
  { name: "show-embedding", why: "cannot chat", facts: { contextLength: 512, capabilities: ["embedding"] } },
  {
    name: "show-before-capabilities",
    why: "an old server says nothing, and nothing is guessed",
    facts: { contextLength: 8192, capabilities: undefined, thinking: undefined },
  },
  {
    name: "show-empty",
    why: "an empty answer",
    facts: { contextLength: undefined, capabilities: undefined, thinking: undefined },
  },
];

describe("the facts of a model", () => {
  it.each(shows)("are read from $name: $why", ({ name, facts }) => {
    expect(factsOfShow(fixtureJson(name))).toMatchObject(facts);
  });

  it("have a recorded answer for each quirk, and each is used", () => {
    const files = readdirSync(new URL("../fixtures", import.meta.url)).filter((file) =>
      file.startsWith("show-"),
    );
    expect(files.map((file) => file.replace(/\.ndjson$/, "")).sort()).toEqual(
      shows.map(({ name }) => name).sort(),
    );
  });

  it.each([null, 7, "text", [], { model_info: [], capabilities: "tools", thinking: { values: "low" } }])(
    "are unknown when the answer is %j",
    (answer) => {
      expect(factsOfShow(answer)).toEqual({
        contextLength: undefined,
        capabilities: undefined,
        thinking: undefined,
      });
    },
  );

  it("are read from a newer list, unless the model thinks: its values are elsewhere", () => {
    const entry = { name: "m", details: { context_length: 4096 }, capabilities: ["completion"] };
    expect(factsOfTag(entry)).toEqual({ contextLength: 4096, capabilities: ["completion"], thinking: [] });
    expect(factsOfTag({ ...entry, capabilities: ["completion", "thinking"] })).toBeUndefined();
    expect(factsOfTag({ name: "m" })).toBeUndefined();
  });
});
