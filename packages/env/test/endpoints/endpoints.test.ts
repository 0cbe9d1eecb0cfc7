import { defineProvider } from "@ashlar/context/provider";
import { describe, expect, it } from "vitest";
import { createHome, Lab, messagesOf, providers, startLab } from "./lab.js";

describe("the endpoints of an Env", () => {
  it("take each fact from the strongest source: settings, then detection, then the login, then the provider", async () => {
    const home = await createHome({ LAB_URL: "http://detected.invalid/v1" });
    await home.write("~/config/auth-found.json", {
      found: {
        auth: { type: "none" },
        origin: "http://stored.invalid",
        provider: "lab",
        url: "http://stored.invalid/v1",
      },
    });
    const env = await home.open({ collect: false });
    expect(env.endpoints().get("found")).toMatchObject({
      provider: "found",
      url: "http://detected.invalid/v1",
    });
    await env.close();
    await home.write("ai-settings.json", { providers: { found: { url: "http://set.invalid/v1" } } });
    expect((await home.open({ collect: false })).endpoints().get("found")).toMatchObject({
      provider: "found",
      url: "http://set.invalid/v1",
      dynamic: false,
    });
  });

  it.each([
    {
      why: "a url alone is a Chat Completions server",
      record: { url: "http://h:1/v1" },
      is: { provider: "openai-chat", url: "http://h:1/v1" },
    },
    {
      why: "a provider alone is the server that it knows",
      record: { provider: "lab" },
      is: { provider: "lab", url: "https://lab.invalid/v1" },
    },
    {
      why: "blanks and slashes are tidied",
      record: { provider: "lab", url: "  http://h:1//v1//  " },
      is: { url: "http://h:1/v1" },
    },
    {
      why: "a query stays",
      record: { url: "http://h/v1/?api-version=7" },
      is: { url: "http://h/v1?api-version=7" },
    },
    { why: "a root has no slash", record: { url: "http://h:11434/" }, is: { url: "http://h:11434" } },
    {
      why: "a provider may have a scheme of its own",
      record: { provider: "scripted", url: "script://other" },
      is: { url: "script://other", secret: true },
    },
    {
      why: "settings say secret over the provider",
      record: { provider: "scripted", secret: false },
      is: { secret: false },
    },
  ])("$why", async ({ record, is }) => {
    const env = await (await createHome()).open({
      collect: false,
      settings: { providers: { mine: record } },
    });
    expect(env.endpoints().get("mine")).toMatchObject(is);
    expect(messagesOf(env)).toEqual([]);
  });

  it("know the protocol of a name that a provider knows, at whatever url", async () => {
    const settings = { providers: { lab: { url: "http://h:1" } } };
    const env = await (await createHome()).open({ collect: false, settings });
    expect(env.endpoints().get("lab")).toMatchObject({ provider: "lab", url: "http://h:1" });
  });

  it.each([
    { why: "preferences only", settings: { lab: { disabled: true, model: "x" } }, says: undefined },
    { why: "the switches of all tools", settings: { tools: { search: false } }, says: undefined },
    {
      why: "a name with a slash",
      settings: { "a/b": { url: "http://h" } },
      says: 'providers: "a/b" cannot name an endpoint',
    },
  ])("leave out $why", async ({ settings, says }) => {
    const env = await (await createHome()).open({ collect: false, settings: { providers: settings } });
    expect([...env.endpoints().keys()]).toEqual([]);
    expect(messagesOf(env)).toEqual(says === undefined ? [] : [expect.stringContaining(says)]);
  });

  it.each([
    {
      why: "no scheme",
      record: { url: "h:1/v1" },
      says: 'providers.mine.url: "h:1/v1" has no scheme; write http://h:1/v1',
    },
    {
      why: "no URL",
      record: { url: "http://h:port" },
      says: 'providers.mine.url: "http://h:port" is not a URL; expected one such as http://127.0.0.1:1234/v1',
    },
    { why: "a wrong scheme", record: { url: "ws://h/v1" }, says: "expected http:// or https://" },
    {
      why: "credentials inside",
      record: { url: "https://me:pa55@h/v1?key=pa55" },
      says: 'providers.mine.url: "https://h/v1" holds credentials; write https://h/v1',
    },
    {
      why: "an unknown provider",
      record: { url: "http://h", provider: "lap" },
      says: 'no provider named "lap" is registered; did you mean lab?',
    },
    {
      why: "a wrong filter",
      record: { url: "http://h", filter: "(" },
      says: "providers.mine.filter is not a regular expression",
    },
    {
      why: "a key in the settings",
      record: { url: "http://h", apiKey: "pa55word" },
      says: "providers.mine.apiKey is not read: credentials do not belong in settings; run: ashlar login mine",
    },
  ])("say what is wrong with $why and what would be right", async ({ record, says }) => {
    const home = await createHome();
    const file = await home.write("ai-settings.json", { providers: { mine: record } });
    const env = await home.open({ collect: false });
    expect(env.endpoints().has("mine")).toBe(true);
    expect(env.diagnostics).toContainEqual(
      expect.objectContaining({ kind: "provider", file, message: expect.stringContaining(says) }),
    );
    expect(JSON.stringify(env.diagnostics)).not.toContain("pa55");
  });

  it("follow the settings while the Env is open", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false });
    env.settings.providers = { mine: { url: "http://h:1" } };
    expect(env.endpoints().get("mine")?.url).toBe("http://h:1");
  });
});

describe("detection", () => {
  it("asks each provider once for what the environment says, keeps it in memory and says when it fails", async () => {
    let asked = 0;
    const Asked = defineProvider(
      class Asked {
        static readonly contract = 1;
        static readonly provider = Lab.provider;
        _open = true;
        close(): void {
          this._open = false;
        }
        static detectEnvironment() {
          asked += 1;
          return {
            here: { url: "http://127.0.0.1:9/v1" },
            "no/name": { url: "http://h" },
            broken: { url: "x" },
          };
        }
        static async detect() {
          asked += 100;
          return {};
        }
        static readonly detectEnvironmentOnly = true;
      },
    );
    const home = await createHome();
    const env = await home.open({ providers: { asked: Asked } });
    await env.modelsReady;
    expect(env.endpoints().get("here")).toMatchObject({ dynamic: true, provider: "asked" });
    expect(env.endpoints().get("here")).toMatchObject({ dynamic: true });
    expect(asked).toBe(1);
    expect(messagesOf(env)).toContainEqual(expect.stringContaining('provider asked found "broken"'));
    expect(await home.read("~/config/settings.json")).toBeUndefined();
  });

  it("finds a live server by probing", async () => {
    const lab = await startLab();
    const env = await (await createHome({ LAB_PROBE: lab.url })).open();
    await env.modelsReady;
    expect(env.endpoints().get("probed")).toMatchObject({ url: lab.url, dynamic: true });
    expect(env.models().has("probed/m:1")).toBe(true);
  });

  it("does not wait for a probe longer than two seconds", async () => {
    const lab = await startLab();
    lab.models = undefined;
    const env = await (await createHome({ LAB_PROBE: lab.url })).open();
    await env.modelsReady;
    expect(env.endpoints().has("probed")).toBe(false);
    expect(lab.seen).toEqual(["/up none"]);
    await lab.allClosed();
  });

  it("survives a provider that throws", async () => {
    const Throwing = defineProvider(
      class Throwing {
        static readonly contract = 1;
        static readonly provider = Lab.provider;
        _open = true;
        close(): void {
          this._open = false;
        }
        static detectEnvironment(): never {
          throw new Error("no such variable");
        }
        static detect(): never {
          throw new Error("no such server");
        }
      },
    );
    const env = await (await createHome()).open({ providers: { ...providers, throwing: Throwing } });
    await env.modelsReady;
    expect(messagesOf(env)).toEqual([
      "provider throwing failed to look for endpoints: no such variable",
      "provider throwing failed to look for endpoints: throwing: no such server",
    ]);
  });
});
