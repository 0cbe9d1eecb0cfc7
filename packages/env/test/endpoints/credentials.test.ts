import { chmod } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createHome, type Home, type LabServer, messagesOf, startLab, visible } from "./lab.js";

const SECRET = "s3cret-token";

interface Victim {
  readonly home: Home;
  readonly own: LabServer;
  readonly hostile: LabServer;
}

/** Somebody who is logged in to `work`, and a server that would like to have the credentials. */
async function createVictim(): Promise<Victim> {
  const [own, hostile, home] = [await startLab(), await startLab(), await createHome()];
  own.token = SECRET;
  const env = await home.open({ collect: false });
  await env.login({ name: "work", provider: "lab", url: `${own.url}/v1`, token: SECRET, scope: "user" });
  await env.close();
  return { home, own, hostile };
}

describe("a stored credential", () => {
  it("is never sent to a url that the project's settings changed, and the endpoint says why", async () => {
    const { home, own, hostile } = await createVictim();
    const file = await home.write("ai-settings.json", { providers: { work: { url: `${hostile.url}/v1` } } });
    const env = await home.open();
    await env.modelsReady;
    expect(env.endpoints().get("work")).toMatchObject({ loginRequired: true, hasCredentials: false });
    const reason = `endpoint work: the credentials are for ${own.url}, but the url in ${file} leads to ${hostile.url}, so they are not sent there.`;
    expect(messagesOf(env)).toContainEqual(expect.stringContaining(reason));
    let error: unknown;
    try {
      env.connection("work/m:1");
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      kind: "auth",
      message: expect.stringContaining(reason),
      details: { endpoint: "work" },
    });
    expect(hostile.seen).toEqual([]);
    expect(visible(env, error)).not.toContain(SECRET);
  });

  it("is not replaced by what a project's credential file says of another server", async () => {
    const { home, hostile } = await createVictim();
    await home.write("ai-auth-work.json", {
      work: {
        auth: { type: "none" },
        origin: "https://other.example",
        provider: "lab",
        url: `${hostile.url}/v1`,
      },
    });
    const env = await home.open();
    await env.modelsReady;
    expect(env.endpoints().get("work")).toMatchObject({ loginRequired: true });
    expect(() => env.connection("work/m:1")).toThrow(expect.objectContaining({ kind: "auth" }));
    expect(hostile.seen).toEqual([]);
  });

  it("serves every path of its server, whoever wrote the path", async () => {
    const { home, own } = await createVictim();
    await home.write("ai-settings.json", { providers: { work: { url: `${own.url}/v1/team` } } });
    const env = await home.open();
    await env.modelsReady;
    expect(own.seen.at(-1)).toBe(`/v1/team/models Bearer ${SECRET}`);
    expect(env.connection("work/m:1").auth()).toMatchObject({ token: SECRET });
  });

  it("is bound to its origin also when it came from the environment", async () => {
    const [own, hostile] = [await startLab(), await startLab()];
    const home = await createHome({ LAB_URL: `${own.url}/v1`, LAB_TOKEN: SECRET });
    await home.write("ai-settings.json", { providers: { found: { url: `${hostile.url}/v1` } } });
    const env = await home.open();
    await env.modelsReady;
    expect(env.endpoints().get("found")).toMatchObject({ loginRequired: true, hasCredentials: false });
    expect([...own.seen, ...hostile.seen]).toEqual([]);
  });

  it("is asked for again only where the person names the project's server", async () => {
    const { home, hostile } = await createVictim();
    const file = await home.write("ai-settings.json", { providers: { work: { url: `${hostile.url}/v1` } } });
    const env = await home.open({ collect: false });
    await expect(env.login({ name: "work", token: SECRET })).rejects.toMatchObject({
      kind: "usage",
      message: `the url of work comes from ${file} and leads to ${hostile.url}. If your credentials shall go there, say so: ashlar login work --url ${hostile.url}/v1`,
    });
    expect(hostile.seen).toEqual([]);
    await env.login({ name: "work", url: `${hostile.url}/v1`, token: "for-that-one" });
    expect(env.connection("work").auth()).toMatchObject({ token: "for-that-one" });
  });

  it("of this project does for its own server what the user's does elsewhere", async () => {
    const { home, hostile: team } = await createVictim();
    const env = await home.open({ collect: false });
    await env.login({ name: "work", url: `${team.url}/v1`, token: "team-token", scope: "project" });
    await env.close();
    const next = await home.open({ collect: false });
    expect(next.endpoints().get("work")).toMatchObject({ url: `${team.url}/v1`, loginRequired: false });
    expect(next.connection("work/m:1").auth()).toMatchObject({ token: "team-token" });
  });
});

describe("a credential file", () => {
  it.each([
    {
      why: "no JSON",
      content: `{"work": {"auth": {"type": "bearer", "token": "${SECRET}"`,
      words: "is not a JSON object",
    },
    { why: "another key", content: { other: { auth: { type: "none" } } }, words: 'has no key "work"' },
    {
      why: "no known type",
      content: { work: { auth: { type: "magic", token: SECRET }, origin: "x" } },
      words: "work.auth is not",
    },
    {
      why: "a token that is no text",
      content: { work: { auth: { type: "bearer", token: [SECRET] }, origin: "x" } },
      words: "work.auth is not",
    },
    {
      why: "no origin",
      content: { work: { auth: { type: "bearer", token: SECRET } } },
      words: "work.origin",
    },
  ])("with $why is named, not used, not shown and not changed", async ({ content, words }) => {
    const home = await createHome();
    const file = await home.write("~/config/auth-work.json", content);
    const before = await home.read("~/config/auth-work.json");
    const env = await home.open({ collect: false });
    expect(env.diagnostics).toContainEqual(
      expect.objectContaining({ kind: "provider", file, message: expect.stringContaining(words) }),
    );
    expect(visible(env)).not.toContain(SECRET);
    expect(env.endpoints().has("work")).toBe(false);
    expect(await home.read("~/config/auth-work.json")).toBe(before);
  });

  it("that others can read is used and mentioned", async () => {
    const { home } = await createVictim();
    const file = `${home.home}/config/auth-work.json`;
    await chmod(file, 0o644);
    const env = await home.open({ collect: false });
    expect(messagesOf(env)).toContain(`others can read the credential file ${file}; run: chmod 600 ${file}`);
    expect(env.endpoints().get("work")?.hasCredentials).toBe(true);
  });

  it("of a name that is none is left alone", async () => {
    const home = await createHome();
    await home.write("~/config/auth-.json", "x");
    await home.write("~/config/auth-tools.json", "x");
    const env = await home.open({ collect: false });
    expect(env.endpoints().size).toBe(0);
    expect(messagesOf(env).filter((message) => message.includes("auth-"))).toEqual([]);
  });
});

describe("a connection's credentials", () => {
  it("are read again, and it says whether they changed", async () => {
    const { home, own } = await createVictim();
    const env = await home.open({ collect: false });
    const connection = env.connection("work/m:1");
    expect(await connection.authReload?.()).toBe(false);
    const renewed = {
      auth: { type: "bearer", token: "renewed-elsewhere" },
      origin: own.url,
      provider: "lab",
      url: `${own.url}/v1`,
    };
    await home.write("~/config/auth-work.json", { work: renewed });
    expect(connection.auth()).toMatchObject({ token: SECRET });
    expect(await connection.authReload?.()).toBe(true);
    expect(connection.auth()).toMatchObject({ token: "renewed-elsewhere" });
    expect(await connection.authReload?.()).toBe(false);
    await home.write("~/config/auth-work.json", { work: { ...renewed, origin: "https://moved.example" } });
    expect(await connection.authReload?.()).toBe(true);
    expect(connection.auth()).toBeUndefined();
  });

  it("that the provider renewed are stored where the old ones are, for their owner only", async () => {
    const { home } = await createVictim();
    const env = await home.open({ collect: false });
    const connection = env.connection("work/m:1");
    await connection.authSet?.({ type: "oauth", token: "new-token", refresh: "new-refresh", expires: 1 });
    expect(connection.auth()).toEqual({
      type: "oauth",
      token: "new-token",
      refresh: "new-refresh",
      expires: 1,
    });
    expect(JSON.parse((await home.read("~/config/auth-work.json")) ?? "")).toMatchObject({
      work: { auth: { token: "new-token" }, provider: "lab" },
    });
    expect(await home.modeOf("~/config/auth-work.json")).toBe("600");
  });

  it("that the server refused mark the endpoint until they are accepted", async () => {
    const { home, own } = await createVictim();
    own.token = "changed-at-the-server";
    const env = await home.open();
    await env.modelsReady;
    expect(env.endpoints().get("work")).toMatchObject({ loginRequired: true, hasCredentials: true });
    expect(visible(env)).not.toContain(SECRET);
    const connection = env.connection("work/m:1");
    connection.authReport?.("accepted");
    expect(env.endpoints().get("work")?.loginRequired).toBe(false);
    connection.authReport?.("refused");
    expect(env.models(true).get("work/m:1")?.loginRequired).toBe(true);
    await env.login({ name: "work", token: "changed-at-the-server" });
    expect(env.endpoints().get("work")?.loginRequired).toBe(false);
  });
});
