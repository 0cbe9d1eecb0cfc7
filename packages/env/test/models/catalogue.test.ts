import { defineProvider } from "@ashlar/context/provider";
import { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import { createHome, Lab, messagesOf, providers, startLab } from "../endpoints/lab.js";
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

describe("collecting", () => {
  it("never blocks: the Env is open and answers while a server is silent", async () => {
    const server = await startLab();
    server.models = undefined;
    const env = await within(
      (await createHome()).open({ settings: lab({ url: server.url, models: { m: {} } }) }),
      "opening",
    );
    expect(env.models().has("work/m")).toBe(true);
    expect(env.connection("work/m").model).toBe("m");
  });

  it("gives up on a silent server, so that modelsReady settles, and says so", async () => {
    const server = await startLab();
    server.models = undefined;
    const env = await (await createHome()).open({ settings: lab({ url: server.url }) });
    await within(env.modelsReady, "settling", 8_000);
    expect(messagesOf(env)).toEqual([
      expect.stringContaining("no model list from work: no answer within 5000 ms"),
    ]);
    await within(server.allClosed(), "closing the socket");
  });

  it("can be switched off", async () => {
    const server = await startLab();
    const home = await createHome({ LAB_PROBE: server.url, LAB_URL: server.url });
    const env = await home.open({ collect: false });
    await env.modelsReady;
    env.settings.providers = { work: { provider: "lab", url: server.url } };
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.seen).toEqual([]);
  });

  it("asks again when a list was empty", async () => {
    const server = await startLab({});
    const env = await (await createHome()).open({ settings: lab({ url: server.url }) });
    await env.modelsReady;
    expect([...env.models().keys()]).toEqual([]);
    server.models = { late: {} };
    const late = new Promise<void>((resolve) => {
      env.onEvent(Env.EVENT.MODELS_CHANGED, () => env.models().size > 0 && resolve());
    });
    await within(late, "the second list");
    expect([...env.models().keys()]).toEqual(["work/late"]);
  });

  it("asks an endpoint that the settings add or move", async () => {
    const [first, second] = [await startLab({ one: {} }), await startLab({ two: {} })];
    const env = await (await createHome()).open();
    await env.modelsReady;
    for (const server of [first, second]) {
      env.settings.providers = { work: { provider: "lab", url: server.url } };
      while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect([...env.models().keys()]).toEqual(["work/two"]);
  });

  it("ends at once with the Env and leaves nothing behind, whatever the provider does", async () => {
    const server = await startLab();
    server.models = undefined;
    const Deaf = defineProvider(
      class Deaf {
        static readonly contract = 1;
        static readonly provider = Lab.provider;
        _open = true;
        close(): void {
          this._open = false;
        }
        static models(): Promise<never> {
          return new Promise(() => undefined);
        }
        static detect(): Promise<never> {
          return new Promise(() => undefined);
        }
      },
    );
    const settings = {
      providers: {
        work: { provider: "lab", url: server.url },
        deaf: { provider: "deaf", url: "http://127.0.0.1:9" },
      },
    };
    const env = await (await createHome()).open({ providers: { ...providers, deaf: Deaf }, settings });
    const asked = new Promise((resolve) => setTimeout(resolve, 100));
    await asked;
    await within(env.close(), "closing", 1_000);
    await within(env.modelsReady, "settling", 100);
    await within(server.allClosed(), "closing the sockets");
    expect(process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap")).toEqual([]);
  });

  it.each([
    {
      why: "throws",
      models: () => {
        throw new Error("no list today");
      },
      says: "no model list from odd: no list today",
    },
    { why: "gives no object", models: async () => "models", says: "a model list that is not an object" },
    { why: "gives a list", models: async () => ["a"], says: "a model list that is not an object" },
  ])("survives a provider that $why", async ({ models, says }) => {
    const Odd = class {
      static readonly contract = 1;
      static readonly provider = Lab.provider;
      // What a provider in plain JavaScript may give, whatever the contract says.
      static readonly models = models as never;
      _open = true;
      close(): void {
        this._open = false;
      }
    };
    const env = await (await createHome()).open({
      providers: { odd: Odd },
      settings: { providers: { odd: { provider: "odd", url: SILENT } } },
    });
    await env.modelsReady;
    expect(messagesOf(env)).toContainEqual(expect.stringContaining(says));
  });

  it("keeps odd ids and metadata out of trouble", async () => {
    const server = await startLab();
    const odd = '{"__proto__": {"label": "x"}, "constructor": {}, "ok": "text", "": {}}';
    server.models = JSON.parse(odd);
    Object.defineProperty(server, "models", { value: { toJSON: () => JSON.parse(odd) } });
    const env = await (await createHome()).open({ settings: lab({ url: server.url }) });
    await env.modelsReady;
    expect([...env.models().keys()].sort()).toEqual(["work/constructor", "work/ok"]);
    expect(env.models().get("work/ok")?.label).toBe("ok");
  });
});

describe("a start without network", () => {
  it("answers with the lists of the last start", async () => {
    const server = await startLab({ "m:1": { label: "One" } });
    const home = await createHome();
    const settings = lab({ url: server.url });
    const env = await home.open({ settings });
    await env.modelsReady;
    await env.close();
    await server.close();
    const next = await home.open({ settings, collect: false });
    expect(next.models().get("work/m:1")).toMatchObject({ label: "One", listed: true });
    await next.close();
    const failing = await home.open({ settings });
    await failing.modelsReady;
    expect(failing.models().has("work/m:1")).toBe(true);
  });

  it("does not offer the list of another address, of a secret endpoint or of one that was logged out of", async () => {
    const server = await startLab({ m: {} });
    const home = await createHome();
    const record = { provider: "lab", url: server.url };
    const settings = { providers: { moved: record, left: record, hidden: { ...record, secret: true } } };
    const env = await home.open({ settings });
    await env.modelsReady;
    expect(env.models(true).has("hidden/m")).toBe(true);
    await env.logout("left");
    await env.close();
    const moved = { providers: { ...settings.providers, moved: { ...record, url: `${server.url}/v2` } } };
    const next = await home.open({ settings: moved, collect: false });
    expect([...next.models(true).keys()].filter((pair) => !pair.startsWith("left"))).toEqual([]);
  });

  it.each(["", "{", "[]", '{"version":1,"endpoints":{"work":{"url":7}}}', '{"version":9,"endpoints":{}}'])(
    "starts with a damaged cache: %j",
    async (content) => {
      const server = await startLab({ m: {} });
      const home = await createHome();
      await home.write("~/state/models.json", content);
      const env = await home.open({ settings: lab({ url: server.url }) });
      expect([...env.models().keys()]).toEqual([]);
      await env.modelsReady;
      expect([...env.models().keys()]).toEqual(["work/m"]);
      expect(await home.read("~/state/models.json")).toContain('"work"');
    },
  );

  it("keeps no files where the Env has none", async () => {
    const server = await startLab({ m: {} });
    const home = await createHome();
    const env = await home.open({ layers: [], settings: lab({ url: server.url }) });
    await env.modelsReady;
    env.connection("work/m");
    await env.close();
    expect(await home.read("~/state/models.json")).toBeUndefined();
    expect(await home.read("~/state/recent-models.json")).toBeUndefined();
  });
});
