import { describe, expect, it } from "vitest";
import { createHome, startLab } from "../endpoints/lab.js";

const SILENT = "http://127.0.0.1:9";

function lab(record: Readonly<Record<string, unknown>>): {
  readonly providers: Readonly<Record<string, unknown>>;
} {
  return { providers: { work: { provider: "lab", url: SILENT, ...record } } };
}

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
