import { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import { createHome, startLab } from "../endpoints/lab.js";
import { within } from "../transport/test-server.js";

const SILENT = "http://127.0.0.1:9";

function lab(record: Readonly<Record<string, unknown>>): {
  readonly providers: Readonly<Record<string, unknown>>;
} {
  return { providers: { work: { provider: "lab", url: SILENT, ...record } } };
}

describe("the model catalogue", () => {
  it("lists what the server, the settings and the provider say of each pair", async () => {
    const server = await startLab({
      "qwen3:8b": {
        label: "Qwen",
        contextWindow: 32_768,
        maxContextWindow: 131_072,
        input: ["text", "image"],
      },
      "org/small": { thinking: [], contextWindow: -1, secret: true },
    });
    const home = await createHome();
    const record = {
      url: `${server.url}/v1`,
      models: { "org/small": { secret: false, label: "Small" }, extra: {} },
    };
    const env = await home.open({ settings: lab(record) });
    await env.modelsReady;
    expect(Object.fromEntries(env.models())).toEqual({
      "work/qwen3:8b": {
        endpoint: "work",
        model: "qwen3:8b",
        label: "Qwen",
        listed: true,
        disabled: false,
        secret: false,
        loginRequired: false,
        lastUsed: null,
        projectLastUsed: null,
        caps: {
          contextWindow: 131_072,
          thinking: ["off", "high"],
          tools: ["search", "paint"],
          streaming: true,
          input: ["text", "image"],
        },
      },
      "work/org/small": expect.objectContaining({
        label: "Small",
        caps: { contextWindow: null, thinking: [], tools: ["search", "paint"], streaming: true },
      }),
      "work/extra": expect.objectContaining({ label: "extra", listed: true }),
    });
  });

  it.each([
    { why: "the endpoint is secret", record: { secret: true } },
    { why: "the filter does not match", record: { filter: "^other" } },
    { why: "the model is secret", record: { models: { m: { secret: true } } } },
    { why: "the endpoint is disabled", record: { disabled: true, models: { m: {} } } },
    { why: "the model is disabled", record: { models: { m: { disabled: true } } } },
  ])("hides a pair when $why, and shows it flagged on demand", async ({ record }) => {
    const env = await (await createHome()).open({ collect: false, settings: lab({ model: "m", ...record }) });
    expect([...env.models().keys()]).toEqual([]);
    const info = env.models(true).get("work/m");
    expect([info?.secret, info?.disabled]).toContain(true);
  });

  it.each([
    { why: "nothing is said", settings: {}, tools: ["search", "paint"] },
    { why: "all endpoints say no", settings: { all: { search: false } }, tools: ["paint"] },
    {
      why: "the endpoint says yes over all",
      settings: { all: { search: false }, endpoint: { search: true } },
      tools: ["search", "paint"],
    },
    {
      why: "the endpoint says no over all",
      settings: { all: { search: true }, endpoint: { search: false } },
      tools: ["paint"],
    },
    {
      why: "the model says yes over both",
      settings: { all: { search: false }, endpoint: { search: false }, model: { search: true } },
      tools: ["search", "paint"],
    },
    {
      why: "the model says no to another",
      settings: { all: { search: false }, model: { paint: false } },
      tools: [],
    },
  ])("counts the provider's tools when $why", async ({ settings, tools }) => {
    const { all = {}, endpoint = {}, model = {} } = settings;
    const work = { provider: "lab", url: SILENT, tools: endpoint, models: { m: { tools: model } } };
    const env = await (await createHome()).open({
      collect: false,
      settings: { providers: { tools: all, work } },
    });
    expect(env.models().get("work/m")?.caps.tools).toEqual(tools);
  });

  it.each([
    {
      why: "the model's setting",
      settings: { contextWindow: 1000, models: { m: { contextWindow: 500 } } },
      window: 500,
    },
    { why: "the endpoint's setting", settings: { contextWindow: 1000 }, window: 1000 },
    { why: "the larger of the server's two", settings: {}, window: 8192 },
  ])("takes the window from $why", async ({ settings, window }) => {
    const server = await startLab({ m: { contextWindow: 4096, maxContextWindow: 8192 } });
    const env = await (await createHome()).open({ settings: lab({ url: `${server.url}/v1`, ...settings }) });
    await env.modelsReady;
    expect(env.models().get("work/m")?.caps.contextWindow).toBe(window);
  });

  it("follows settings, and announces what changed in one tick once", async () => {
    const env = await (await createHome()).open({ collect: false, settings: lab({ models: { m: {} } }) });
    const revisions: number[] = [];
    env.onEvent(Env.EVENT.MODELS_CHANGED, ({ revision }) => revisions.push(revision));
    const before = env.models();
    expect(env.models()).toBe(before);
    env.settings.providers = { other: { provider: "lab", url: SILENT, models: { one: {} } } };
    env.settings.providers = { other: { provider: "lab", url: SILENT, models: { one: {}, two: {} } } };
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([...env.models().keys()]).toEqual(expect.arrayContaining(["other/one", "other/two"]));
    expect(revisions.length).toBe(1);
  });

  it("has the fields of plugins, also of one that comes later", async () => {
    const env = await (await createHome()).open({ collect: false, settings: lab({ models: { m: {} } }) });
    const changed = new Promise((resolve) => env.onEvent(Env.EVENT.MODELS_CHANGED, resolve));
    expect(env.models().get("work/m")).not.toHaveProperty("speed");
    Env.extend<{ modelInfo: { speed: string } }>({
      name: "speed",
      modelInfo: (_env, info) => ({ speed: `${info.model}!` }),
    });
    await within(changed, "the announcement");
    expect(env.models().get("work/m")).toMatchObject({ speed: "m!" });
  });
});
