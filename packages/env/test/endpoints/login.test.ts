import { describe, expect, it } from "vitest";
import { createHome, startLab, visible } from "./lab.js";

const SECRET = "s3cret-token";

describe("a login", () => {
  it("with the user scope stores the credential for its origin, readable by its owner only, and the next Env has it", async () => {
    const lab = await startLab();
    lab.token = SECRET;
    const home = await createHome();
    const env = await home.open();
    const result = await env.login({
      name: "work",
      provider: "lab",
      url: ` ${lab.url}//v1/ `,
      token: ` ${SECRET} `,
      scope: "user",
    });
    expect(result).toMatchObject({
      name: "work",
      scope: "user",
      auth: { type: "bearer" },
      verified: { models: 2 },
      endpoint: {
        name: "work",
        provider: "lab",
        url: `${lab.url}/v1`,
        hasCredentials: true,
        loginRequired: false,
        dynamic: false,
      },
    });
    expect(JSON.parse((await home.read("~/config/auth-work.json")) ?? "")).toEqual({
      work: {
        auth: { type: "bearer", token: SECRET },
        origin: lab.url,
        provider: "lab",
        url: `${lab.url}/v1`,
      },
    });
    expect(await home.modeOf("~/config/auth-work.json")).toBe("600");
    expect([...env.models().keys()]).toEqual(["work/m:1", "work/org/m2"]);
    expect(visible(env, result)).not.toContain(SECRET);
    await env.close();

    const next = await home.open();
    await next.modelsReady;
    expect(next.endpoints().get("work")).toMatchObject({ url: `${lab.url}/v1`, hasCredentials: true });
    expect(next.connection("work/m:1").auth()).toEqual({ type: "bearer", token: SECRET });
  });

  it("with the project scope stores beside the project's settings", async () => {
    const lab = await startLab();
    const home = await createHome();
    const env = await home.open();
    await env.login({ name: "work", provider: "lab", url: `${lab.url}/v1`, token: SECRET, scope: "project" });
    expect(await home.read("ai-auth-work.json")).toContain(SECRET);
    expect(await home.modeOf("ai-auth-work.json")).toBe("600");
    expect(await home.read("~/config/auth-work.json")).toBeUndefined();
  });

  it("without a scope is gone with the Env", async () => {
    const lab = await startLab();
    const home = await createHome();
    const env = await home.open();
    await env.login({ name: "work", provider: "lab", url: `${lab.url}/v1`, token: SECRET });
    expect(env.connection("work").auth()).toEqual({ type: "bearer", token: SECRET });
    await env.close();
    expect((await home.open()).endpoints().has("work")).toBe(false);
  });

  it("without files works in memory and refuses a scope", async () => {
    const lab = await startLab();
    const home = await createHome();
    const env = await home.open({ layers: [] });
    await expect(
      env.login({ name: "work", provider: "lab", url: lab.url, token: SECRET, scope: "user" }),
    ).rejects.toMatchObject({ kind: "usage", details: { argument: "scope" } });
    expect(lab.seen).toEqual([]);
    await env.login({ name: "work", provider: "lab", url: `${lab.url}/v1`, token: SECRET });
    expect(env.endpoints().get("work")?.hasCredentials).toBe(true);
  });

  it("needs no url where the settings or the provider know it", async () => {
    const lab = await startLab();
    const home = await createHome();
    await home.write("~/config/settings.json", { providers: { lab: { url: `${lab.url}/v1` } } });
    const env = await home.open({ collect: false });
    await env.login({ name: "lab", token: SECRET });
    expect(lab.seen.at(-1)).toBe(`/v1/models Bearer ${SECRET}`);
  });

  it("gives way to one that is stored later", async () => {
    const lab = await startLab();
    const home = await createHome();
    const env = await home.open({ collect: false });
    const target = { name: "work", provider: "lab", url: `${lab.url}/v1` };
    await env.login({ ...target, token: "in-memory" });
    await env.login({ ...target, token: SECRET, scope: "user" });
    expect(env.connection("work").auth()).toMatchObject({ token: SECRET });
  });

  it("keeps what else stands in the file", async () => {
    const lab = await startLab();
    const home = await createHome();
    await home.write("~/config/auth-work.json", { other: { note: "mine" } });
    const env = await home.open({ collect: false });
    await env.login({ name: "work", provider: "lab", url: `${lab.url}/v1`, token: SECRET, scope: "user" });
    expect(JSON.parse((await home.read("~/config/auth-work.json")) ?? "")).toMatchObject({
      other: { note: "mine" },
      work: {},
    });
    await env.logout("work");
    expect(JSON.parse((await home.read("~/config/auth-work.json")) ?? "")).toEqual({
      other: { note: "mine" },
    });
  });
});

describe("two logins at a time", () => {
  it("run one after the other, and the failed one does not take the other back", async () => {
    const lab = await startLab();
    lab.token = SECRET;
    const home = await createHome();
    const env = await home.open({ collect: false });
    const target = { name: "work", provider: "lab", url: `${lab.url}/v1`, scope: "user" } as const;
    const outcomes = await Promise.allSettled([
      env.login({ ...target, token: "wr0ng-token" }),
      env.login({ ...target, token: SECRET }),
      env.login({ ...target, token: "wr0ng-token" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
    expect(await home.read("~/config/auth-work.json")).toContain(SECRET);
    expect(env.connection("work").auth()).toMatchObject({ token: SECRET });
  });
});
