import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { within } from "../transport/test-server.js";
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

describe("a login that fails", () => {
  const steps = [
    { step: "shaping the credentials", token: "refused", kind: "provider", prepare: () => undefined },
    { step: "the test of the connection", token: "wr0ng-token", kind: "auth", prepare: () => undefined },
    { step: "fetching the models", token: SECRET, kind: "provider", prepare: "models" as const },
    { step: "reaching the server", token: SECRET, kind: "network", prepare: "down" as const },
  ];

  it.each(steps)("at $step leaves file and memory as they were", async ({ token, kind, prepare }) => {
    const lab = await startLab();
    lab.token = SECRET;
    const home = await createHome();
    const env = await home.open({ collect: false });
    const target = { name: "work", provider: "lab", url: `${lab.url}/v1`, scope: "user" } as const;
    await env.login({ ...target, token: SECRET });
    const file = await home.read("~/config/auth-work.json");
    if (prepare === "down") await lab.close();
    if (prepare === "models") failSecondRequest(lab);
    const error = await env.login({ ...target, token }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind });
    expect(visible(env, error)).not.toContain(token);
    expect(await home.read("~/config/auth-work.json")).toBe(file);
    expect(await home.modeOf("~/config/auth-work.json")).toBe("600");
    expect(env.connection("work", { remember: false }).auth()).toEqual({ type: "bearer", token: SECRET });
  });

  it.each(steps)("at $step leaves nothing where nothing was", async ({ token, prepare }) => {
    const lab = await startLab();
    lab.token = SECRET;
    const home = await createHome();
    const env = await home.open({ collect: false });
    if (prepare === "down") await lab.close();
    if (prepare === "models") failSecondRequest(lab);
    for (const scope of ["user", "project", undefined] as const) {
      const options = {
        name: "work",
        provider: "lab",
        url: `${lab.url}/v1`,
        token,
        ...(scope === undefined ? {} : { scope }),
      };
      await expect(env.login(options)).rejects.toThrow();
      if (prepare === "models") failSecondRequest(lab);
    }
    expect(env.endpoints().has("work")).toBe(false);
    expect(await home.read("~/config/auth-work.json")).toBeUndefined();
    expect(await home.read("ai-auth-work.json")).toBeUndefined();
  });

  it("at storing names the file, asks nobody and keeps nothing", async () => {
    const lab = await startLab();
    const home = await createHome();
    const env = await home.open({ collect: false });
    await rm(join(home.home, "config"), { recursive: true, force: true });
    await home.write("~/config", "a file where the folder should be");
    const failure = env.login({
      name: "work",
      provider: "lab",
      url: `${lab.url}/v1`,
      token: SECRET,
      scope: "user",
    });
    await expect(failure).rejects.toMatchObject({
      kind: "settings",
      details: { file: join(home.home, "config/auth-work.json") },
    });
    expect(lab.seen).toEqual([]);
    expect(env.endpoints().has("work")).toBe(false);
  });

  it("for a damaged credential file does not overwrite it", async () => {
    const lab = await startLab();
    const home = await createHome();
    const file = await home.write("~/config/auth-work.json", '{"work": {"auth": {"token": "0ld-secret"');
    const env = await home.open({ collect: false });
    const failure = env.login({ name: "work", provider: "lab", url: lab.url, token: SECRET, scope: "user" });
    await expect(failure).rejects.toMatchObject({ kind: "settings", details: { file } });
    expect(await home.read("~/config/auth-work.json")).toContain("0ld-secret");
    expect(visible(env)).not.toContain("0ld-secret");
  });

  it("because the Env closes takes itself back and does not hang", async () => {
    const lab = await startLab();
    lab.models = undefined;
    const home = await createHome();
    const env = await home.open({ collect: false });
    const failure = env.login({
      name: "work",
      provider: "lab",
      url: `${lab.url}/v1`,
      token: SECRET,
      scope: "user",
    });
    const outcome = failure.catch((reason: unknown) => reason);
    while (lab.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await within(env.close(), "closing");
    expect(await outcome).toMatchObject({ kind: "cancelled" });
    expect(await home.read("~/config/auth-work.json")).toBeUndefined();
    await within(lab.allClosed(), "closing the socket");
  });

  it.each(["../evil", "a/b", "", ".hidden", "tools", "x".repeat(65), "name."])(
    "for the name %j is kind usage, before anything is asked or stored",
    async (name) => {
      const lab = await startLab();
      const home = await createHome();
      const env = await home.open({ collect: false });
      const failure = env.login({ name, provider: "lab", url: lab.url, token: SECRET, scope: "project" });
      await expect(failure).rejects.toMatchObject({ kind: "usage", details: { argument: "name" } });
      expect(lab.seen).toEqual([]);
    },
  );

  it.each([
    {
      why: "an unknown name",
      options: { name: "lob" },
      words: 'there is no endpoint "lob". Did you mean lab?',
    },
    {
      why: "an unknown provider",
      options: { name: "x", url: "http://h", provider: "labb" },
      words: "did you mean lab?",
    },
    {
      why: "no URL",
      options: { name: "x", url: "localhost:1234/v1" },
      words: 'url: "localhost:1234/v1" has no scheme; write http://localhost:1234/v1',
    },
    {
      why: "a wrong scheme",
      options: { name: "x", url: "ftp://h/v1" },
      words: "expected http:// or https://",
    },
    {
      why: "credentials in the URL",
      options: { name: "x", url: "http://me:pa55@h/v1?key=pa55" },
      words: "holds credentials; write http://h/v1",
    },
  ])("for $why says what would be right", async ({ options, words }) => {
    const env = await (await createHome()).open({ collect: false });
    const error = await env.login(options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(words) });
    expect(visible(env, error)).not.toContain("pa55");
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

/** The test of the connection passes; the list that follows fails. */
function failSecondRequest(lab: Awaited<ReturnType<typeof startLab>>): void {
  lab.status = 200;
  const asked = lab.seen.length;
  Object.defineProperty(lab, "status", {
    configurable: true,
    get: () => (lab.seen.length > asked + 1 ? 500 : 200),
    set: (status: number) =>
      Object.defineProperty(lab, "status", { configurable: true, writable: true, value: status }),
  });
}

// A folder without write permission stops nobody who runs the tests as root.
it.skipIf(process.getuid?.() === 0)(
  "a login into a folder that cannot be written names the file",
  async () => {
    const home = await createHome();
    const lab = await startLab();
    const env = await home.open({ collect: false });
    await mkdir(join(home.home, "config"), { recursive: true });
    await chmod(join(home.home, "config"), 0o500);
    const failure = env.login({ name: "work", provider: "lab", url: lab.url, token: SECRET, scope: "user" });
    await expect(failure).rejects.toMatchObject({ kind: "settings" });
    await chmod(join(home.home, "config"), 0o700);
  },
);
