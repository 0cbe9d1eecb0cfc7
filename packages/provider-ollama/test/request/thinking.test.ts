import { describe, expect, it } from "vitest";
import { chooseThink, GENERAL_MODES } from "../../src/request/thinking.js";

const switched = ["off", "on"];
const levels = ["low", "medium", "high"];

describe("the value of think", () => {
  it.each([
    { why: "a level on a model with a switch", wanted: "high", modes: switched, think: true },
    { why: "off on a model with a switch", wanted: "off", modes: switched, think: false },
    { why: "none means off", wanted: "none", modes: switched, think: false },
    { why: "the model's own word", wanted: "on", modes: switched, think: true },
    { why: "a level the model lists", wanted: "medium", modes: levels, think: "medium" },
    { why: "more than the model has", wanted: "max", modes: levels, think: "high" },
    { why: "less than the model has", wanted: "minimal", modes: levels, think: "low" },
    { why: "a level and a switch", wanted: "low", modes: ["off", "on", "low", "high"], think: "low" },
    { why: "a word of the model's own", wanted: "deep", modes: ["off", "deep"], think: "deep" },
  ])("is $think for $why", ({ wanted, modes, think }) => {
    expect(chooseThink(wanted, modes)).toEqual({ think });
  });

  it.each([
    {
      why: "a model that does not think is not asked to",
      wanted: "high",
      modes: [],
      omit: "the model does not think",
    },
    { why: "off is what such a model does anyway", wanted: "off", modes: [], omit: undefined },
    {
      why: "a model with levels only cannot be switched off",
      wanted: "off",
      modes: levels,
      omit: "the model's thinking cannot be switched off",
    },
    {
      why: "nothing is guessed",
      wanted: "high",
      modes: undefined,
      omit: "the server does not say which thinking modes the model has",
    },
  ])("is left out: $why", ({ wanted, modes, omit }) => {
    expect(chooseThink(wanted, modes)).toEqual({ omit });
  });

  it("is never one that the model does not list", () => {
    for (const wanted of [...GENERAL_MODES, "xhigh", "nonsense"]) {
      const choice = chooseThink(wanted, levels);
      if ("think" in choice) expect(levels).toContain(choice.think);
    }
  });
});
