import { describe, expect, it } from "vitest";
import { chooseThinking, nativeThinking, THINKING_LEVELS } from "../src/thinking.js";

describe("mapping a thinking level to a model's own modes", () => {
  it.each([
    { why: "the exact word wins", wanted: "medium", modes: ["low", "medium", "high"], mode: "medium" },
    {
      why: "none takes the first mode, mostly the off mode",
      wanted: "none",
      modes: ["off", "on"],
      mode: "off",
    },
    {
      why: "none takes the weakest where nothing is off",
      wanted: "none",
      modes: ["low", "high"],
      mode: "low",
    },
    {
      why: "the strongest mode not above the wanted one",
      wanted: "xhigh",
      modes: ["low", "medium", "high"],
      mode: "high",
    },
    { why: "a gap is filled from below", wanted: "medium", modes: ["none", "low", "high"], mode: "low" },
    {
      why: "else the weakest that is not off",
      wanted: "minimal",
      modes: ["none", "medium", "high"],
      mode: "medium",
    },
    { why: "max reaches beyond every word", wanted: "max", modes: ["low", "max", "ultra"], mode: "max" },
    {
      why: "an unknown mode ranks half a step above the one before",
      wanted: "high",
      modes: ["off", "high", "turbo"],
      mode: "high",
    },
    { why: "and is taken from there on", wanted: "xhigh", modes: ["off", "high", "turbo"], mode: "turbo" },
    { why: "a switch has one way of thinking", wanted: "low", modes: ["off", "on"], mode: "on" },
    {
      why: "an unknown wanted word counts as high",
      wanted: "hard",
      modes: ["low", "high", "max"],
      mode: "high",
    },
    { why: "only an off mode", wanted: "high", modes: ["off"], mode: "off" },
    { why: "no control at all", wanted: "high", modes: [], mode: undefined },
  ])("$why", ({ wanted, modes, mode }) => {
    expect(nativeThinking(wanted, modes)).toBe(mode);
  });

  it("answers one of the modes for every level", () => {
    const modes = ["off", "on"];
    for (const level of THINKING_LEVELS) expect(modes).toContain(nativeThinking(level, modes));
  });

  it.each([
    { why: "what was asked for", asked: "low", setting: "high", modeDefault: "medium", mode: "low" },
    { why: "else the setting", asked: undefined, setting: "high", modeDefault: "medium", mode: "high" },
    { why: "a setting of false", asked: undefined, setting: false, modeDefault: "medium", mode: "low" },
    { why: "a setting of true", asked: undefined, setting: true, modeDefault: "low", mode: "high" },
    {
      why: "else the model's default",
      asked: undefined,
      setting: undefined,
      modeDefault: "medium",
      mode: "medium",
    },
    {
      why: "else nothing is sent",
      asked: undefined,
      setting: undefined,
      modeDefault: undefined,
      mode: undefined,
    },
  ])("chooses $why", ({ asked, setting, modeDefault, mode }) => {
    expect(chooseThinking({ asked, setting, modes: ["low", "medium", "high"], modeDefault })).toBe(mode);
  });
});
