import { readFile } from "node:fs/promises";
import { Env } from "@ashlar/env";
import { describe, expect, it, onTestFinished } from "vitest";
import { openProject } from "../open-project.js";
import { tempFolder } from "../temp-folder.js";

const record = (value: unknown): Record<string, unknown> => Object(value);

describe("reading", () => {
  it("behaves like nested objects", async () => {
    const { env } = await openProject({ user: '{ "a": { "b": { "c": 1 } } }' });
    expect(Object.keys(env.settings)).toContain("a");
    expect("a" in env.settings).toBe(true);
    expect({ ...record(env.settings.a) }).toEqual({ b: { c: 1 } });
    expect(JSON.stringify(env.settings.a)).toBe('{"b":{"c":1}}');
    expect(env.settings.a).toBe(env.settings.a);
    expect(env.settings.nothing).toBeUndefined();
    expect(record(env.settings.tools).concurrency).toBe(3);
  });

  it("gives lists that cannot be changed in place", async () => {
    const { env } = await openProject({ user: '{ "list": [1] }' });
    expect(() => Reflect.apply(Array.prototype.push, env.settings.list, [2])).toThrow(TypeError);
  });

  it("is current: an object that was taken before sees a later change", async () => {
    const { env } = await openProject();
    const tools = record(env.settings.tools);
    tools.concurrency = 9;
    expect(record(env.settings.tools).concurrency).toBe(9);
    expect(tools.concurrency).toBe(9);
  });
});

describe("writing", () => {
  it("persists only that path, once a tick", async () => {
    const { env, userFile } = await openProject({
      user: '{\n  // mine\n  "tools": { "timeout": "1m" }\n}\n',
    });
    const tools = record(env.settings.tools);
    tools.concurrency = 4;
    tools.concurrency = 5;
    env.settings.model = "lab/m";
    expect(await readFile(userFile, "utf8")).not.toContain("lab/m");
    await env.settingsFlush();
    expect(await readFile(userFile, "utf8")).toBe(
      '{\n  // mine\n  "tools": { "timeout": "1m", "concurrency": 5 },\n  "model": "lab/m"\n}\n',
    );
  });

  it("reaches the disk without a flush, at the end of the tick", async () => {
    const { env, userFile } = await openProject();
    env.settings.model = "lab/m";
    await expect.poll(() => readFile(userFile, "utf8").catch(() => ""), { interval: 5 }).toContain("lab/m");
  });

  it("is saved by close", async () => {
    const { env, userFile } = await openProject();
    env.settings.model = "lab/m";
    await env.close();
    expect(await readFile(userFile, "utf8")).toContain("lab/m");
    expect(() => {
      env.settings.model = "late";
    }).toThrow(expect.objectContaining({ kind: "closed" }));
  });

  it.each([
    { why: "the project when it holds exactly this path", project: '{ "model": "p" }', target: "project" },
    {
      why: "the user when the project holds only something beside it",
      project: '{ "tools": { "timeout": 5 } }',
      target: "user",
    },
    { why: "the user when nobody holds it", project: undefined, target: "user" },
  ])("goes to $why", async ({ project, target }) => {
    const { env, userFile, projectFile } = await openProject({ user: "{}", project });
    env.settings.model = "new";
    record(env.settings.tools).concurrency = 7;
    await env.settingsFlush();
    const files = {
      user: await readFile(userFile, "utf8"),
      project: project && (await readFile(projectFile, "utf8")),
    };
    expect(files[target === "user" ? "user" : "project"]).toContain('"new"');
    expect(files.user).toContain('"concurrency": 7');
    expect(env.settings.model).toBe("new");
  });

  it("goes to the user when the project holds a value that does not count", async () => {
    const { env, userFile, projectFile } = await openProject({ project: '{ "packages": ["evil"] }' });
    env.settings.packages = ["good"];
    await env.settingsFlush();
    expect(await readFile(userFile, "utf8")).toContain("good");
    expect(await readFile(projectFile, "utf8")).toBe('{ "packages": ["evil"] }');
  });

  it("stays in memory where the host set the key", async () => {
    const { env, userFile } = await openProject({
      user: '{ "model": "u" }',
      options: { settings: { model: "h" } },
    });
    env.settings.model = "new";
    await env.settingsFlush();
    expect(env.settings.model).toBe("new");
    expect(await readFile(userFile, "utf8")).toBe('{ "model": "u" }');
  });

  it("deletes the strongest layer's value, so that the weaker one shows", async () => {
    const { env, userFile, projectFile } = await openProject({
      user: '{ "model": "u" }',
      project: '{ "model": "p" }',
    });
    delete env.settings.model;
    expect(env.settings.model).toBe("u");
    delete record(env.settings).model;
    expect(env.settings.model).toBeUndefined();
    await env.settingsFlush();
    expect(await readFile(projectFile, "utf8")).toBe("{ }");
    expect(await readFile(userFile, "utf8")).toBe("{ }");
    delete env.settings.model;
  });

  it.each([
    {
      key: "tools.concurrency",
      wanted: "an integer of at least 1",
      given: '"x"',
      write: (s: Record<string, unknown>) => (record(s.tools).concurrency = "x"),
    },
    {
      key: "tools.timeout",
      wanted: "a number above 0",
      given: '"soon"',
      write: (s: Record<string, unknown>) => (s.tools = { timeout: "soon" }),
    },
    {
      key: "providers.lab.url",
      wanted: "a text",
      given: "7",
      write: (s: Record<string, unknown>) => (record(s.providers).lab = { url: 7 }),
    },
    {
      key: "providers.lab.disabled",
      wanted: "true or false",
      given: '"yes"',
      write: (s: Record<string, unknown>) => (s.providers = { lab: { disabled: "yes" } }),
    },
    {
      key: "packages.1",
      wanted: "a text",
      given: "5",
      write: (s: Record<string, unknown>) => (s.packages = ["a", 5]),
    },
    {
      key: "tools",
      wanted: "an object",
      given: "a list",
      write: (s: Record<string, unknown>) => (s.tools = []),
    },
  ])(
    "refuses a wrong type for $key, naming what is wanted and given",
    async ({ key, wanted, given, write }) => {
      const { env, userFile } = await openProject({ user: "{}" });
      const attempt = () => write(env.settings);
      expect(attempt).toThrow(expect.objectContaining({ kind: "settings" }));
      expect(attempt).toThrow(`${key}: wanted ${wanted}`);
      expect(attempt).toThrow(given);
      await env.settingsFlush();
      expect(await readFile(userFile, "utf8")).toBe("{}");
    },
  );

  it("refuses what has no place in JSON", async () => {
    const { env } = await openProject();
    for (const value of [() => 1, Symbol("x"), 1n, new Map()]) {
      expect(() => {
        env.settings.mine = value;
      }).toThrow(expect.objectContaining({ kind: "settings" }));
    }
    expect(() => Object.defineProperty(env.settings, "mine", { get: () => 1 })).toThrow(
      expect.objectContaining({ kind: "settings" }),
    );
    expect(() => Reflect.set(env.settings, Symbol("x"), 1)).toThrow(
      expect.objectContaining({ kind: "settings" }),
    );
    expect(() => Reflect.set(env.settings, "__proto__", { model: "evil" })).toThrow(
      expect.objectContaining({ kind: "settings" }),
    );
  });

  it("loses nothing when two Envs save to the user's file at once", async () => {
    const { env, home, userFile } = await openProject();
    const other = await Env.open(await tempFolder(), { collect: false, environment: { ASHLAR_HOME: home } });
    onTestFinished(() => other.close());
    const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
    const saves: Promise<void>[] = [];
    for (const [index, key] of keys.entries()) {
      const one = index % 2 === 0 ? env : other;
      one.settings[key] = index;
      saves.push(one.settingsFlush());
    }
    await Promise.all(saves);
    expect(Object.keys(JSON.parse(await readFile(userFile, "utf8"))).sort()).toEqual([...keys].sort());
  });

  it("is refused through the safe view, which reads the same", async () => {
    const { env } = await openProject({ user: '{ "model": "u" }' });
    expect(env.safe.settings.model).toBe("u");
    expect(() => {
      env.safe.settings.model = "x";
    }).toThrow(expect.objectContaining({ kind: "refused" }));
    expect(() => delete record(env.safe.settings.tools).timeout).toThrow(
      expect.objectContaining({ kind: "refused" }),
    );
    expect(env.settings.model).toBe("u");
  });
});
