import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Env } from "@ashlar/env";
import { describe, expect, it, onTestFinished } from "vitest";
import { openProject } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";

describe("precedence", () => {
  it("is package, user, project, constructor; objects merge, lists replace", async () => {
    const { env } = await openProject({
      user: '{ "x": { "user": 1, "who": "user" }, "list": [1, 2], "tools": { "concurrency": 4, "timeout": "1m" } }',
      project: '{ "x": { "project": 1, "who": "project" }, "list": [3], "tools": { "timeout": "2m" } }',
      options: { settings: { x: { who: "host" } } },
    });
    expect(env.settings.x).toEqual({ user: 1, project: 1, who: "host" });
    expect(env.settings.list).toEqual([3]);
    expect(env.settings.tools).toEqual({
      folders: [],
      timeout: "2m",
      timeoutLimit: 1_200_000,
      concurrency: 4,
    });
    expect(env.settings.providers).toMatchObject({ test: { url: "test://script", secret: true } });
  });

  it("tells which layer says what", async () => {
    const { env, userFile, projectFile } = await openProject({
      user: '{ "model": "u" }',
      project: '{ "model": "p" }',
      options: { settings: { model: "h" } },
    });
    expect(env.settingLayers("model")).toEqual([
      { layer: "user", value: "u", file: userFile },
      { layer: "project", value: "p", file: projectFile },
      { layer: "constructor", value: "h" },
    ]);
  });

  it("leaves out the layers that the host does not name", async () => {
    const source = { user: '{ "model": "u" }', project: '{ "model": "p" }' };
    const user = await openProject({ ...source, options: { layers: ["user"] } });
    expect(user.env.settings.model).toBe("u");
    const none = await openProject({ ...source, options: { layers: [] } });
    expect([
      none.env.hasLayer("user"),
      none.env.hasLayer("project"),
      none.env.hasLayer("constructor"),
    ]).toEqual([false, false, true]);
    expect(none.env.settings.model).toBeUndefined();
    expect(none.env.settings.providers).toEqual({});
    none.env.settings.model = "memory";
    await none.env.settingsFlush();
    expect(none.env.settings.model).toBe("memory");
    expect(await readFile(none.userFile, "utf8")).toBe(source.user);
  });
});

describe("what a project may set", () => {
  it("is what the key's schema lists; the rest is ignored and said once, with its place", async () => {
    const { env, projectFile } = await openProject({
      project:
        '{\n  "tools": { "folders": ["/evil"], "concurrency": 2 },\n  "env-refuse": false,\n  "packages": ["evil"]\n}',
    });
    expect(env.settings.tools).toMatchObject({ folders: [], concurrency: 2 });
    expect(env.settings.packages).toEqual([]);
    expect(env.settings["env-refuse"]).toContain("*TOKEN*");
    expect(env.settingLayers("packages")).toEqual([]);
    const messages = env.diagnostics.map(({ message }) => message);
    expect(messages).toEqual([
      `${projectFile}:4:15: packages cannot be set by the project and is ignored there.`,
      `${projectFile}:2:25: tools.folders cannot be set by the project and is ignored there.`,
      `${projectFile}:3:17: env-refuse cannot be set by the project and is ignored there.`,
    ]);
  });

  it("does not reach outside the project through a link", async () => {
    const outside = await put(join(await tempFolder(), "settings.json"), '{ "model": "stolen" }');
    const folder = await tempFolder();
    await symlink(outside, join(folder, "ai-settings.json"));
    const env = await Env.open(folder, { collect: false, environment: { ASHLAR_HOME: await tempFolder() } });
    onTestFinished(() => env.close());
    expect(env.settings.model).toBeUndefined();
    expect(env.diagnostics).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("leaves the project") }),
    );
  });
});

describe("keys", () => {
  it("that nobody knows are kept, and mentioned with what was probably meant", async () => {
    const { env, projectFile } = await openProject({
      project: '{ "modle": "m", "tools": { "concurency": 1 }, "mine": {} }',
    });
    expect(env.settings.modle).toBe("m");
    expect(env.settings.mine).toEqual({});
    expect(env.diagnostics.map(({ message }) => message)).toEqual([
      `${projectFile}:1:12: modle is not a known setting; it is kept. Did you mean model?`,
      `${projectFile}:1:42: tools.concurency is not a known setting; it is kept. Did you mean tools.concurrency?`,
      `${projectFile}:1:55: mine is not a known setting; it is kept.`,
    ]);
  });

  it("that steer prototypes are left out, and said", async () => {
    const { env } = await openProject({
      user: '{ "__proto__": { "model": "evil" }, "providers": { "constructor": {} } }',
    });
    expect(env.settings.model).toBeUndefined();
    expect(Reflect.get({}, "model")).toBeUndefined();
    expect(Object.keys(Object(env.settings.providers))).toEqual(["test"]);
    expect(env.diagnostics.map(({ message }) => message.replace(/^.*?: /u, ""))).toEqual([
      'the key "__proto__" is not allowed and was left out.',
      'the key "constructor" is not allowed and was left out.',
    ]);
  });

  it("of a wrong type do not count: the weaker layer's value or the default does", async () => {
    const { env, projectFile } = await openProject({
      user: '{ "tools": { "concurrency": 5 } }',
      project:
        '{ "tools": { "concurrency": 0, "timeout": "soon" }, "model": 7, "providers": { "lab": { "url": 5, "provider": "ollama" } } }',
    });
    expect(env.settings.tools).toMatchObject({ concurrency: 5, timeout: 120_000 });
    expect(env.settings.model).toBeUndefined();
    expect(env.settings.providers).toMatchObject({ lab: { provider: "ollama" } });
    expect(Object(env.settings.providers).lab.url).toBeUndefined();
    const messages = env.diagnostics.map(({ message }) => message.replace(`${projectFile}:`, ""));
    expect(messages).toContain(
      "1:29: tools.concurrency: wanted an integer of at least 1, not 0. The default or a weaker layer's value is used.",
    );
    expect(messages).toContain(
      '1:43: tools.timeout: wanted a number above 0 or a text such as "30s" or "5m", not "soon". The default or a weaker layer\'s value is used.',
    );
    expect(messages).toContain(
      "1:96: providers.lab.url: wanted a text that is not empty, not 5. The default or a weaker layer's value is used.",
    );
  });

  it("of a scalar where a group belongs do not hide the defaults", async () => {
    const { env } = await openProject({ user: '{ "tools": false }' });
    expect(env.settings.tools).toMatchObject({ concurrency: 3 });
    expect(env.diagnostics).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("tools: wanted an object") }),
    );
  });

  it("of a wrong type from the host are an error that names key, wanted and given", async () => {
    const folder = await tempFolder();
    await expect(
      Env.open(folder, { layers: [], settings: { tools: { concurrency: "3" } } }),
    ).rejects.toMatchObject({
      kind: "settings",
      message: 'settings: tools.concurrency: wanted an integer of at least 1, not "3".',
      details: { key: "tools.concurrency" },
    });
    expect(Env.envs.has(folder)).toBe(false);
  });

  it("keep what they hold to themselves when it may be a secret", async () => {
    const { env } = await openProject({
      user: '{ "providers": { "lab": { "tools": { "token": "sk-123" } } } }',
    });
    expect(env.diagnostics).toHaveLength(1);
    expect(JSON.stringify(env.diagnostics)).not.toContain("sk-123");
  });
});

describe("folders of the user", () => {
  it("follow XDG, ignore relative values, and move below ASHLAR_HOME as one", async () => {
    const home = await tempFolder();
    const open = async (environment: Record<string, string>) => {
      const env = await Env.open(await tempFolder(), { collect: false, environment });
      onTestFinished(() => env.close());
      return env.folders;
    };
    expect(await open({ HOME: home, XDG_CONFIG_HOME: join(home, "c"), XDG_DATA_HOME: "relative" })).toEqual({
      config: join(home, "c/ashlar"),
      data: join(home, ".local/share/ashlar"),
      state: join(home, ".local/state/ashlar"),
      cache: join(home, ".cache/ashlar"),
    });
    expect(await open({ HOME: home, ASHLAR_HOME: "relative" })).toMatchObject({
      config: join(home, ".config/ashlar"),
    });
    expect(await open({ HOME: home, XDG_DATA_HOME: "/d", ASHLAR_HOME: join(home, "a") })).toEqual({
      config: join(home, "a/config"),
      data: join(home, "a/data"),
      state: join(home, "a/state"),
      cache: join(home, "a/cache"),
    });
  });

  it("are made when something is saved, for this user only", async () => {
    const { env, userFile, home } = await openProject();
    await rm(join(home, "config"), { recursive: true, force: true });
    env.settings.model = "m";
    await env.settingsFlush();
    expect(await readFile(userFile, "utf8")).toBe('{\n  "model": "m"\n}\n');
  });
});

it("does not wait on a pipe in place of a settings file", async () => {
  const folder = await tempFolder();
  execFileSync("mkfifo", [join(folder, "ai-settings.json")]);
  const env = await Env.open(folder, { collect: false, environment: { ASHLAR_HOME: await tempFolder() } });
  onTestFinished(() => env.close());
  expect(env.diagnostics[0]?.message).toContain("it is not a file");
});

it("takes a settings file as missing while a sandbox holds its place", async () => {
  const { env, projectFile } = await openProject();
  await mkdir(join(projectFile, ".ashlar-1-2-3-4"), { recursive: true });
  await env.toolsRefresh();
  expect(env.diagnostics).toEqual([]);
});
