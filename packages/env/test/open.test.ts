import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Env, type EnvOptions } from "@ashlar/env";
import { describe, expect, it, onTestFinished } from "vitest";
import { openProject } from "./open-project.js";
import { put, tempFolder } from "./temp-folder.js";

const bare: EnvOptions = { layers: [], collect: false };

const open = async (folder: string, options: EnvOptions = bare): Promise<Env> => {
  const env = await Env.open(folder, options);
  onTestFinished(() => env.close());
  return env;
};

describe("one folder", () => {
  it("has one Env, whatever its path is spelled like", async () => {
    const root = await tempFolder();
    await mkdir(join(root, "real"));
    await symlink(join(root, "real"), join(root, "link"));
    const env = await open(join(root, "real"));
    expect(await open(join(root, "link/"))).toBe(env);
    expect(await open(join(root, "real/../real"))).toBe(env);
    expect(env.cwd).toBe(join(root, "real"));
  });

  it("is opened once by two that open it at the same time", async () => {
    const folder = await tempFolder();
    const [one, two] = await Promise.all([open(folder), open(folder)]);
    expect(one).toBe(two);
  });

  it("stays open until the last close", async () => {
    const folder = await tempFolder();
    const env = await Env.open(folder, bare);
    await Env.open(folder);
    await env.close();
    expect(env.closed).toBe(false);
    expect(Env.envs.get(folder)).toBe(env);
    await env.close();
    expect(env.closed).toBe(true);
    expect(Env.envs.has(folder)).toBe(false);
    await env.close();
  });

  it("gets a new Env after it was closed, also when the old one is closing still", async () => {
    const folder = await tempFolder();
    const first = await Env.open(folder, bare);
    const closing = first.close();
    const second = await open(folder);
    expect(second).not.toBe(first);
    await closing;
    await first.close();
    expect(second.closed).toBe(false);
  });

  it.each<{ name: string; held: EnvOptions; other: EnvOptions }>([
    { name: "settings", held: { settings: { a: 1 } }, other: { settings: { a: 2 } } },
    { name: "layers", held: { layers: [] }, other: { layers: ["user"] } },
    { name: "collect", held: { collect: false }, other: { collect: true } },
    { name: "tools", held: {}, other: { tools: [{ x: { description: "x", inputSchema: {} } }] } },
    { name: "environment", held: { environment: { A: "1" } }, other: { environment: { A: "2" } } },
  ])("refuses other $name than it is open with", async ({ name, held, other }) => {
    const folder = await tempFolder();
    const options = { ...bare, ...held };
    const env = await open(folder, options);
    expect(await open(folder, { ...options })).toBe(env);
    await expect(Env.open(folder, { ...options, ...other })).rejects.toMatchObject({
      kind: "usage",
      details: { argument: name },
      message: expect.stringContaining(`another "${name}"`),
    });
    expect(env.closed).toBe(false);
  });

  it("takes an opening without options for the Env that is there", async () => {
    const folder = await tempFolder();
    const env = await open(folder, { ...bare, settings: { model: "m" } });
    const same = await Env.open(folder);
    expect(same).toBe(env);
    await same.close();
  });
});

describe("what cannot be opened", () => {
  it.each([
    {
      why: "a missing folder",
      make: async (root: string) => join(root, "none"),
      says: "there is no such folder",
    },
    { why: "a file", make: (root: string) => put(join(root, "file"), ""), says: "is a file" },
    { why: "an empty path", make: async () => "", says: "give the path" },
  ])("is named: $why", async ({ make, says }) => {
    const path = await make(await tempFolder());
    await expect(Env.open(path)).rejects.toMatchObject({
      kind: "usage",
      details: { argument: "dir" },
      message: expect.stringContaining(says),
    });
  });

  it.each([
    { options: { colect: false }, argument: "colect", says: "is no option; the options are layers" },
    { options: { layers: ["home"] }, argument: "layers", says: '"home" is no file layer' },
    { options: { settings: [] }, argument: "settings", says: "wants an object" },
    { options: { content: ["skills"] }, argument: "content", says: "no absolute path" },
    { options: { providers: { lab: {} } }, argument: "providers.lab", says: "lab" },
  ])("is a wrong option: $argument", async ({ options, argument, says }) => {
    const folder = await tempFolder();
    await expect(Reflect.apply(Env.open, Env, [folder, options])).rejects.toMatchObject({
      kind: "usage",
      details: { argument },
      message: expect.stringContaining(says),
    });
    expect(await open(folder)).toBeDefined();
  });
});

describe("the open Envs", () => {
  it("are a map that cannot be changed", async () => {
    const env = await open(await tempFolder());
    expect([...Env.envs.values()]).toContain(env);
    expect(Object.isFrozen(Env.envs)).toBe(true);
    expect(Reflect.get(Env.envs, "set")).toBeUndefined();
    expect(Reflect.get(Env.envs, "delete")).toBeUndefined();
  });

  it("are named by the shortest path suffix that no other shares", async () => {
    const root = await tempFolder();
    for (const path of ["a/app", "b/app", "b/other"]) await mkdir(join(root, path), { recursive: true });
    const one = await open(join(root, "a/app"));
    expect(one.name).toBe("app");
    const two = await open(join(root, "b/app"));
    const three = await open(join(root, "b/other"));
    expect([one.name, two.name, three.name]).toEqual(["a/app", "b/app", "other"]);
    expect([two.safe.name, one.safe.cwd]).toEqual(["b/app", one.cwd]);
  });
});

describe("a closed Env", () => {
  it("reads still, and refuses what would start something", async () => {
    const { env } = await openProject({ user: '{ "model": "m" }' });
    await env.close();
    expect(env.closed).toBe(true);
    expect(env.safe.closed).toBe(true);
    expect(env.settings.model).toBe("m");
    const closed = { kind: "closed" };
    expect(() => env.connection("a/b")).toThrow(expect.objectContaining(closed));
    await expect(env.login({ name: "lab" })).rejects.toMatchObject(closed);
    await expect(env.logout("lab")).rejects.toMatchObject(closed);
    await expect(env.toolsRefresh()).rejects.toMatchObject(closed);
    await expect(Reflect.apply(env.toolCall, env, ["x", {}, {}])).rejects.toMatchObject(closed);
  });
});

describe("the safe view", () => {
  it("is the same Env, marked, and its own safe view", async () => {
    const env = await open(await tempFolder());
    expect(env.isSafe).toBe(false);
    expect(env.safe.isSafe).toBe(true);
    expect(env.safe).toBe(env.safe);
    expect(env.safe.safe).toBe(env.safe);
    expect(env.safe instanceof Env).toBe(true);
  });
});
