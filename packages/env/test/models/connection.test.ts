import type { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import { createHome, Lab, startLab } from "../endpoints/lab.js";

const URL_1 = "http://127.0.0.1:9/v1";

const SETTINGS = {
  providers: {
    lab: { url: URL_1, models: { "qwen3:8b": {}, "org/model:tag": {}, both: {} } },
    work: { provider: "lab", url: URL_1, model: "main", models: { both: {}, "org/x": {} } },
    off: { provider: "lab", url: URL_1, disabled: true, models: { gone: {} } },
    partly: {
      provider: "lab",
      url: URL_1,
      models: { first: { disabled: true }, second: { secret: true }, third: {} },
    },
    org: { provider: "lab", url: URL_1 },
  },
};

async function open(): Promise<Env> {
  return (await createHome()).open({ collect: false, settings: SETTINGS });
}

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}

describe("a selector", () => {
  it.each([
    { why: "names a pair", selector: "lab/qwen3:8b", is: "lab/qwen3:8b" },
    { why: "has blanks around", selector: " lab/qwen3:8b\n", is: "lab/qwen3:8b" },
    { why: "has slashes and a colon in the model", selector: "lab/org/model:tag", is: "lab/org/model:tag" },
    { why: "is a model alone", selector: "qwen3:8b", is: "lab/qwen3:8b" },
    { why: "is a model with slashes alone", selector: "org/model:tag", is: "org/model:tag" },
    { why: "is an endpoint with a set model", selector: "work", is: "work/main" },
    { why: "is an endpoint with a slash", selector: "work/", is: "work/main" },
    { why: "is an endpoint without a set model", selector: "lab", is: "lab/qwen3:8b" },
    { why: "is an endpoint whose first models are hidden", selector: "partly", is: "partly/third" },
    { why: "names a model that no list has yet", selector: "org/brand-new", is: "org/brand-new" },
    { why: "names a hidden model", selector: "partly/second", is: "partly/second" },
    { why: "names an endpoint that only its provider knows", selector: "scripted/echo", is: "scripted/echo" },
  ])("that $why finds $is", async ({ selector, is }) => {
    const connection = (await open()).connection(selector);
    expect(`${connection.endpoint}/${connection.model}`).toBe(is);
  });

  it.each([
    {
      why: "a model of two endpoints",
      selector: "both",
      words: 'several endpoints have a model "both": lab/both, work/both. Name one of them.',
    },
    {
      why: "an unknown endpoint",
      selector: "wrok/main",
      words:
        'there is no endpoint "wrok" for "wrok/main". Did you mean work/main? Log in with "ashlar login wrok", or add "wrok" under "providers"',
    },
    {
      why: "an unknown model",
      selector: "qwen3:8c",
      words: 'no endpoint has a model "qwen3:8c". Did you mean qwen3:8b?',
    },
    { why: "a hidden model alone", selector: "second", words: 'no endpoint has a model "second"' },
    { why: "a scripted model alone", selector: "echo", words: 'no endpoint has a model "echo"' },
    {
      why: "an endpoint without models",
      selector: "org",
      words: "endpoint org lists no model; name one as org/<model>, or set providers.org.model",
    },
    {
      why: "nothing, when nothing was used",
      selector: "",
      words:
        "no model was named and none was used before; name one as endpoint/model. There are lab/qwen3:8b,",
    },
    { why: "a slash", selector: "/", words: "there is no endpoint" },
    { why: "a control key", selector: "__proto__/x", words: 'there is no endpoint "__proto__"' },
  ])("for $why is kind usage and says what would be right", async ({ selector, words }) => {
    const env = await open();
    expect(failureOf(() => env.connection(selector))).toMatchObject({
      kind: "usage",
      details: { argument: "model" },
      message: expect.stringContaining(words),
    });
  });

  it.each(["off", "off/gone", "off/any", "partly/first"])(
    "for the disabled %s is refused",
    async (selector) => {
      const env = await open();
      expect(failureOf(() => env.connection(selector))).toMatchObject({
        kind: "refused",
        details: { name: selector.split("/")[0] },
        message: expect.stringContaining("cannot be used: providers."),
      });
    },
  );

  it("is checked against a list that the server gave just now, where a left-out tag means the latest", async () => {
    const server = await startLab({ "qwen3:latest": {}, "llama3:8b": {} });
    const env = await (await createHome()).open({
      settings: { providers: { work: { provider: "lab", url: server.url } } },
    });
    await env.modelsReady;
    expect(env.connection("work/qwen3").model).toBe("qwen3:latest");
    expect(failureOf(() => env.connection("work/lama3:8b"))).toMatchObject({
      kind: "usage",
      message: 'endpoint work has no model "lama3:8b"; did you mean work/llama3:8b?',
    });
    expect(failureOf(() => env.connection("work/gpt"))).toMatchObject({
      message: 'endpoint work has no model "gpt"; it lists qwen3:latest, llama3:8b',
    });
  });

  it("without endpoints says how to get one", async () => {
    const env = await (await createHome()).open({ collect: false });
    expect(failureOf(() => env.connection(""))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining(
        'log in with "ashlar login <endpoint>", or add one under "providers" in the settings',
      ),
    });
  });

  it("that is empty means the setting `model`, then the last pair that was used here, then anywhere", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false, settings: SETTINGS });
    env.connection("lab/qwen3:8b");
    await new Promise((resolve) => setTimeout(resolve, 5));
    env.connection("work/both");
    expect(env.connection("", { remember: false }).model).toBe("both");
    await env.close();
    const again = await home.open({ collect: false, settings: SETTINGS });
    expect(again.connection("", { remember: false }).endpoint).toBe("work");
    await again.close();
    const without = await home.open({
      collect: false,
      settings: { providers: { lab: SETTINGS.providers.lab } },
    });
    expect(without.connection("", { remember: false }).model).toBe("qwen3:8b");
    await without.close();
    const preset = await home.open({ collect: false, settings: { ...SETTINGS, model: "scripted/read" } });
    expect(preset.connection("").endpoint).toBe("scripted");
  });
});

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
