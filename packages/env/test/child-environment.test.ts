import { describe, expect, it } from "vitest";
import { openProject } from "./open-project.js";

const environment = {
  PATH: "/bin",
  HOME: "/home/u",
  OPENAI_API_KEY: "1",
  HF_TOKEN: "2",
  my_secret_thing: "3",
  DbPassword: "4",
  MONKEY: "5",
  EMPTY: undefined,
};

const childOf = async (settings: Record<string, unknown>) => {
  const { env } = await openProject({ options: { settings, environment } });
  const { ASHLAR_HOME: _, ...rest } = env.childEnvironment;
  return rest;
};

describe("the environment of child processes", () => {
  it("is without names that hold keys, whatever their case", async () => {
    expect(await childOf({})).toEqual({ PATH: "/bin", HOME: "/home/u" });
  });

  it("has only what env-allow names, which wins over env-refuse", async () => {
    expect(await childOf({ "env-allow": ["path", "HF_*"] })).toEqual({ PATH: "/bin", HF_TOKEN: "2" });
    expect(await childOf({ "env-allow": [] })).toEqual({});
  });

  it("is whole where env-refuse is false", async () => {
    const { EMPTY: _, ...all } = environment;
    expect(await childOf({ "env-refuse": false })).toEqual(all);
  });

  it("takes a pattern's other characters for themselves", async () => {
    expect(Object.keys(await childOf({ "env-refuse": ["P.TH", "HO[M]E", "*_API_*", "*e*t*"] }))).toEqual([
      "PATH",
      "HOME",
      "HF_TOKEN",
      "DbPassword",
      "MONKEY",
    ]);
  });

  it("follows the settings, and cannot be changed", async () => {
    const { env } = await openProject({ options: { environment } });
    expect(env.childEnvironment).not.toHaveProperty("MONKEY");
    env.settings["env-refuse"] = ["HOME"];
    expect(env.childEnvironment).toHaveProperty("MONKEY");
    expect(env.childEnvironment).not.toHaveProperty("HOME");
    expect(Object.isFrozen(env.childEnvironment)).toBe(true);
  });
});
