import { describe, expect, it } from "vitest";
import { createHome } from "../endpoints/lab.js";
import { failureOf, SETTINGS } from "./lab-settings.js";

describe("the memory of what was used", () => {
  it("keeps eight pairs with their times, for the user and for the project", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false, settings: SETTINGS });
    for (let count = 0; count < 10; count++) {
      env.connection(`org/m${count}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const info = env.models().get("org/m9");
    expect(info).toMatchObject({
      listed: false,
      lastUsed: expect.stringMatching(/^\d{4}-.*Z$/),
      projectLastUsed: info?.lastUsed,
    });
    await env.close();
    const kept = JSON.parse((await home.read("~/state/recent-models.json")) ?? "");
    expect(Object.keys(kept.models)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((count) => `org/m${count}`));
    expect(Object.keys(kept.projects[home.project])).toHaveLength(8);
  });

  it("does not hold what is secret or was not to be remembered", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false, settings: SETTINGS });
    env.connection("scripted/echo");
    env.connection("partly/second");
    env.connection("lab/both", { remember: false });
    await env.close();
    expect(await home.read("~/state/recent-models.json")).toBeUndefined();
    const next = await home.open({ collect: false, settings: SETTINGS });
    expect(failureOf(() => next.connection(""))).toMatchObject({ kind: "usage" });
  });

  it("holds the short name of a model that is offered, though lists leave it out", async () => {
    const home = await createHome();
    const models = {
      qwen3: { secret: true },
      "qwen3:latest": {},
      embed: { secret: true },
      "embed:latest": { secret: true },
    };
    const settings = { providers: { lab: { ...SETTINGS.providers.lab, models } } };
    const env = await home.open({ collect: false, settings });
    env.connection("lab/qwen3");
    env.connection("lab/embed");
    await env.close();
    const next = await home.open({ collect: false, settings });
    expect(next.connection("", { remember: false })).toMatchObject({ endpoint: "lab", model: "qwen3" });
  });

  it("does not choose what is disabled or wants a login by now", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false, settings: SETTINGS });
    env.connection("work/both");
    env.connection("lab/both").authReport?.("refused");
    env.settings.providers = { work: { disabled: true } };
    await env.close();
    const settings = {
      providers: { ...SETTINGS.providers, work: { ...SETTINGS.providers.work, disabled: true } },
    };
    const next = await home.open({ collect: false, settings });
    expect(next.connection("", { remember: false }).endpoint).toBe("lab");
  });

  it("survives a damaged file", async () => {
    const home = await createHome();
    await home.write("~/state/recent-models.json", '{"version":1,"models":["x"],"projects":7}');
    const env = await home.open({ collect: false, settings: SETTINGS });
    env.connection("lab/both");
    await env.close();
    expect(await home.read("~/state/recent-models.json")).toContain("lab/both");
  });
});
