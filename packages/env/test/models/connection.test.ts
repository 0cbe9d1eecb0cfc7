import { describe, expect, it } from "vitest";
import { createHome, Lab, startLab } from "../endpoints/lab.js";
import { failureOf, URL_1 } from "./lab-settings.js";

describe("a connection", () => {
  it("has the endpoint's live settings with the model's over them, durations in milliseconds", async () => {
    const home = await createHome();
    const work = {
      provider: "lab",
      url: `${URL_1}/`,
      timeout: "1m",
      stuckTimeout: 0,
      context: { cap: 0.8, turn: 0.3 },
      filter: "m",
      models: { m: { timeout: "1h 30m", context: { cap: 0.5 }, temperature: 0.1, disabled: false } },
    };
    const env = await home.open({ collect: false, settings: { providers: { work } } });
    const connection = env.connection("work/m");
    expect(connection).toMatchObject({ endpoint: "work", model: "m", url: URL_1, Provider: Lab });
    expect(connection.settings).toEqual({
      timeout: 5_400_000,
      stuckTimeout: 0,
      context: { cap: 0.5, turn: 0.3 },
      temperature: 0.1,
    });
    expect(env.connection("work/other").settings).toMatchObject({ timeout: 60_000, context: { cap: 0.8 } });
  });

  it("sees settings that change while it is held", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false });
    env.settings.providers = { work: { provider: "lab", url: URL_1, temperature: 1 } };
    const connection = env.connection("work/m");
    expect(connection.settings).toMatchObject({ temperature: 1 });
    env.settings.providers = { work: { provider: "lab", url: URL_1, temperature: 0, contextWindow: 7 } };
    expect(connection.settings).toMatchObject({ temperature: 0 });
    expect(connection.info).toMatchObject({ contextWindow: 7 });
  });

  it("knows of the model what settings, server and provider say, in this order", async () => {
    const server = await startLab({
      m: { label: "M", contextWindow: 100, maxContextWindow: 200, maxTokens: 9, thinking: ["low"] },
    });
    const work = {
      provider: "lab",
      url: server.url,
      contextWindow: 50,
      models: { m: { thinkingDefault: "low", price: { input: 1, output: 2 } } },
    };
    const env = await (await createHome()).open({ settings: { providers: { work } } });
    await env.modelsReady;
    expect(env.connection("work/m").info).toEqual({
      label: "M",
      contextWindow: 50,
      maxContextWindow: 200,
      maxTokens: 9,
      thinking: ["low"],
      thinkingDefault: "low",
      tools: true,
      price: { input: 1, output: 2 },
    });
  });

  it.each([
    {
      why: "a wrong url",
      record: { url: "h:1/v1" },
      words: 'providers.work.url: "h:1/v1" has no scheme; write http://h:1/v1',
    },
    {
      why: "an unknown provider",
      record: { url: "http://h", provider: "lap" },
      words: 'no provider named "lap" is registered; did you mean lab?',
    },
    {
      why: "a wrong duration",
      record: { url: "http://h", timeout: "soon" },
      words: 'providers.work.timeout: "soon" is not a duration',
    },
  ])("to an endpoint with $why fails with kind settings before any request", async ({ record, words }) => {
    const env = await (await createHome()).open({
      collect: false,
      settings: { providers: { work: record } },
    });
    expect(failureOf(() => env.connection("work/m"))).toMatchObject({
      kind: "settings",
      message: expect.stringContaining(words),
    });
  });
});
