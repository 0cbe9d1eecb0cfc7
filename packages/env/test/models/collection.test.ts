import { defineProvider } from "@ashlar/context/provider";
import { Env } from "@ashlar/env";
import { describe, expect, it, vi } from "vitest";
import { createHome, Lab, messagesOf, providers, startLab } from "../endpoints/lab.js";
import { within } from "../transport/test-server.js";

const SILENT = "http://127.0.0.1:9";

function lab(record: Readonly<Record<string, unknown>>): {
  readonly providers: Readonly<Record<string, unknown>>;
} {
  return { providers: { work: { provider: "lab", url: SILENT, ...record } } };
}

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
    // A handle is gone one turn of the loop after its socket.
    await vi.waitFor(() => expect(process.getActiveResourcesInfo()).not.toContain("TCPSocketWrap"));
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
