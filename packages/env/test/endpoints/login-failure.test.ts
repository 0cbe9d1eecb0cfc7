import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { within } from "../transport/test-server.js";
import { createHome, startLab, visible } from "./lab.js";

const SECRET = "s3cret-token";

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

  it.each(steps)("at $step leaves nothing where nothing was", async ({ token, kind, prepare }) => {
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
      await expect(env.login(options)).rejects.toMatchObject({ kind });
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
