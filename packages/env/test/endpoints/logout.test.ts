import { describe, expect, it } from "vitest";
import { createHome, startLab } from "./lab.js";

const SECRET = "s3cret-token";

describe("a logout", () => {
  it("removes the credentials from memory and from every file, and leaves the settings", async () => {
    const lab = await startLab();
    const home = await createHome();
    const settings = { providers: { work: { provider: "lab", url: `${lab.url}/v1` } } };
    await home.write("~/config/settings.json", settings);
    const env = await home.open({ collect: false });
    for (const scope of ["user", "project"] as const) await env.login({ name: "work", token: SECRET, scope });
    await env.login({ name: "work", token: SECRET });
    expect(await env.logout("work")).toEqual({ name: "work", dynamic: false });
    expect(await home.read("~/config/auth-work.json")).toBeUndefined();
    expect(await home.read("ai-auth-work.json")).toBeUndefined();
    expect(env.endpoints().get("work")).toMatchObject({ hasCredentials: false });
    expect(JSON.parse((await home.read("~/config/settings.json")) ?? "")).toEqual(settings);
  });

  it("of an endpoint that was found clears it for this Env", async () => {
    const lab = await startLab();
    const home = await createHome({ LAB_URL: `${lab.url}/v1` });
    const env = await home.open();
    await env.modelsReady;
    expect(await env.logout("found")).toEqual({ name: "found", dynamic: true });
    expect(env.endpoints().has("found")).toBe(false);
    expect([...env.models().keys()]).toEqual([]);
    await env.close();
    expect((await home.open({ collect: false })).endpoints().has("found")).toBe(true);
  });

  it("of an unknown name is kind usage with the name that was meant", async () => {
    const home = await createHome({ LAB_URL: "http://127.0.0.1:1/v1" });
    const env = await home.open({ collect: false });
    await expect(env.logout("fuond")).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining("did you mean found?"),
    });
  });
});
