import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Env } from "@ashlar/env";
import { IO, IOEnv } from "@ashlar/io";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LineProvider, line } from "./engine/line-provider.js";
import { run } from "./engine/run-request.js";
import { type ScriptedServer, startServer } from "./engine/scripted-server.js";

let folder: string;
let server: ScriptedServer;
let env: IOEnv;

async function open(settings: Readonly<Record<string, unknown>>): Promise<IOEnv> {
  env = await IOEnv.open(folder, {
    layers: [],
    collect: false,
    providers: { lines: LineProvider },
    environment: {},
    settings: {
      providers: { box: { provider: "lines", url: server.url, models: { m: {}, n: {} } } },
      ...settings,
    },
  });
  return env;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ashlar-io-"));
  server = await startServer((answer) => answer.end(line({ text: "a" }) + line({ done: "stop" })));
});
afterEach(async () => {
  await env.close();
  await server.close();
  await rm(folder, { recursive: true });
});

describe("an Env with this layer", () => {
  it("is the same class, whoever opens it", async () => {
    expect(await open({})).toBeInstanceOf(Env);
  });

  it("gives one IO for a qualified model, and another one after it was closed", async () => {
    const { selector } = (await open({})).io("box/m");
    expect(selector).toBe("box/m");
    const io = env.io("box/m");
    expect(io).toBeInstanceOf(IO);
    expect(env.io("box/m")).toBe(io);
    // The view has the same members; its type names only Env's own.
    expect((env.safe as IOEnv).io("box/m")).toBe(io);
    expect(env.io("box/n")).not.toBe(io);
    await io.close();
    expect(env.io("box/m")).not.toBe(io);
    expect((await run(env.io("box/m"))).terminal.type).toBe("done");
  });

  it("says what is wrong with a model that it does not have", async () => {
    await open({});
    expect(() => env.io("nowhere/m")).toThrow(expect.objectContaining({ kind: "usage" }));
  });

  it("lets requests read the settings think and the limits, live", async () => {
    await open({ think: "low" });
    await run(env.io("box/m"));
    env.settings.think = "high";
    await run(env.io("box/m"));
    expect(server.requests.map(({ body }) => JSON.parse(body).thinking)).toEqual(["low", "high"]);
  });

  it("reads limits as texts, and names the one that is wrong", async () => {
    const silent = await startServer(() => undefined);
    const providers = { box: { provider: "lines", url: silent.url, models: { m: {} } } };
    await open({ stuckTimeout: "90ms", providers });
    expect((await run(env.io("box/m"))).terminal).toMatchObject({ error: expect.stringContaining("90 ms") });
    env.settings.stuckTimeout = "soon";
    await expect(run(env.io("box/m"))).rejects.toMatchObject({
      kind: "settings",
      details: { key: "stuckTimeout" },
    });
    await silent.close();
  });

  it("lets an endpoint's own limit win over that of the Env", async () => {
    const silent = await startServer(() => undefined);
    await open({
      timeout: "1h",
      providers: { box: { provider: "lines", url: silent.url, timeout: "80ms", models: { m: {} } } },
    });
    const { terminal } = await run(env.io("box/m"));
    expect(terminal).toMatchObject({ kind: "network", error: expect.stringContaining("80 ms") });
    await silent.close();
  });
});
