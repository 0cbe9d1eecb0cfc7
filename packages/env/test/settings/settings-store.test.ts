import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import { SettingsGraph } from "../../src/settings/settings-graph.js";
import { put, tempFolder } from "../temp-folder.js";

describe("reading", () => {
  it("merges objects by key and replaces lists, later nodes over earlier ones", () => {
    const store = new Env.SettingsStore({
      sources: [
        { data: { a: { x: 1, y: 1 }, list: [1, 2], s: "low" } },
        { data: { a: { y: 2, z: 2 }, list: [3], s: { deep: true } } },
      ],
    });
    expect(store.read([])).toEqual({ a: { x: 1, y: 2, z: 2 }, list: [3], s: { deep: true } });
    expect(store.read(["a", "y"])).toBe(2);
    expect(store.read(["a", "none"])).toBeUndefined();
    expect(store.read(["s", "toString"])).toBeUndefined();
  });

  it("gives frozen values", () => {
    const store = new Env.SettingsStore({ sources: [{ data: { a: { list: [1] } } }] });
    expect(Object.isFrozen(store.read(["a"]))).toBe(true);
    expect(Object.isFrozen(store.read(["a", "list"]))).toBe(true);
  });

  it("takes another node as the strongest", () => {
    const store = new Env.SettingsStore({ sources: [{ data: { a: 1, b: 1 } }] });
    store.attach({ data: { a: 2 } });
    expect(store.read([])).toEqual({ a: 2, b: 1 });
  });

  it("mounts a node's data at its path", () => {
    const store = new Env.SettingsStore({ sources: [{ at: ["session", "now"], data: { active: true } }] });
    expect(store.read(["session"])).toEqual({ now: { active: true } });
  });

  it("answers at once, before the files were read", async () => {
    const file = await put(join(await tempFolder(), "config.json"), '{ "theme": "dark" }');
    const store = new Env.SettingsStore({ sources: [{ source: file }] });
    expect(store.read(["theme"])).toBeUndefined();
    await store.poll();
    expect(store.read(["theme"])).toBe("dark");
  });
});

describe("writing", () => {
  it("goes to the last node that holds the key, else to the last that takes all", () => {
    const store = new SettingsGraph([
      { data: { theme: "light" } },
      { catchAll: true },
      { at: ["session"], catchAll: true },
    ]);
    expect(store.write(["theme"], "dark")).toBe(true);
    expect(store.write(["session", "active"], true)).toBe(true);
    expect(store.nodes.map(({ view }) => view)).toEqual([
      { theme: "light" },
      { theme: "dark" },
      { session: { active: true } },
    ]);
    expect(store.write(["theme"], "blue")).toBe(true);
    expect(store.nodes[1]?.view).toEqual({ theme: "blue" });
  });

  it("is refused by a read-only node, and says so with false", () => {
    const store = new Env.SettingsStore({ sources: [{ data: { a: 1 }, readOnly: true }] });
    expect(store.write(["a"], 2)).toBe(false);
    expect(new Env.SettingsStore().write(["missing"], 1)).toBe(false);
    expect(store.read(["a"])).toBe(1);
  });

  it("throws a TypeError for an empty path", () => {
    expect(() => new Env.SettingsStore().write([], 1)).toThrow(TypeError);
  });

  it.each([
    { why: "a function", value: () => 1 },
    { why: "not a number", value: Number.NaN },
    { why: "a date", value: new Date(0) },
    { why: "a key that steers prototypes", value: JSON.parse('{ "__proto__": 1 }') },
  ])("refuses $why, naming the key", ({ value }) => {
    const store = new Env.SettingsStore({ sources: [{ catchAll: true }] });
    expect(() => store.write(["a"], { b: value })).toThrow(expect.objectContaining({ kind: "settings" }));
    expect(() => store.write(["a"], { b: value })).toThrow(/^a\.b/u);
    expect(store.read([])).toEqual({});
  });

  it("refuses an object that contains itself, and keys that steer prototypes in the path", () => {
    const store = new Env.SettingsStore({ sources: [{ catchAll: true }] });
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    expect(() => store.write(["ring"], ring)).toThrow(expect.objectContaining({ kind: "settings" }));
    expect(() => store.write(["__proto__", "polluted"], 1)).toThrow(
      expect.objectContaining({ kind: "settings" }),
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("deletes only where the key is held", () => {
    const store = new Env.SettingsStore({
      sources: [{ data: { a: 1 } }, { data: { a: 2 }, catchAll: true }],
    });
    expect(store.write(["a"], undefined)).toBe(true);
    expect(store.read(["a"])).toBe(1);
    expect(store.write(["a"], undefined)).toBe(true);
    expect(store.write(["a"], undefined)).toBe(false);
  });

  it("replaces a whole mounted object", () => {
    const store = new Env.SettingsStore({ sources: [{ at: ["s"], data: { a: 1, b: 2 } }] });
    expect(store.write(["s"], { b: 3 })).toBe(true);
    expect(store.read(["s"])).toEqual({ b: 3 });
    expect(store.write(["s"], 5)).toBe(false);
  });
});

describe("a parent", () => {
  it("is the lowest layer, takes what nobody takes here, and outlives the child", async () => {
    const shared = new Env.SettingsStore({ sources: [{ catchAll: true, data: { a: 1, b: 1 } }] });
    const project = new Env.SettingsStore({ parent: shared, sources: [{ at: ["project"], catchAll: true }] });
    project.write(["shared"], 1);
    project.write(["project", "name"], "demo");
    expect(shared.read([])).toEqual({ a: 1, b: 1, shared: 1 });
    expect(project.read([])).toEqual({ a: 1, b: 1, shared: 1, project: { name: "demo" } });
    shared.write(["a"], 5);
    expect(project.read(["a"])).toBe(5);
    await project.close();
    expect(() => project.write(["x"], 1)).toThrow(expect.objectContaining({ kind: "closed" }));
    expect(shared.write(["c"], 3)).toBe(true);
  });

  it("is saved too, unless told not to", async () => {
    const folder = await tempFolder();
    const shared = new Env.SettingsStore({
      sources: [{ source: join(folder, "shared.json"), catchAll: true }],
    });
    const project = new Env.SettingsStore({ parent: shared });
    project.write(["a"], 1);
    await project.save({ parent: false });
    await expect(stat(join(folder, "shared.json"))).rejects.toMatchObject({ code: "ENOENT" });
    await project.save();
    expect(await readFile(join(folder, "shared.json"), "utf8")).toBe('{\n  "a": 1\n}\n');
  });
});

describe("files", () => {
  it("takes in what another program wrote meanwhile, and keeps its comments", async () => {
    const file = await put(join(await tempFolder(), "s.json"), '{ "a": 1 }');
    const store = new Env.SettingsStore({ sources: [{ source: file, catchAll: true }] });
    await store.poll();
    store.write(["mine"], true);
    await writeFile(file, '{\n  // theirs\n  "a": 2\n}\n');
    await store.save();
    expect(await readFile(file, "utf8")).toBe('{\n  // theirs\n  "a": 2,\n  "mine": true\n}\n');
    expect(store.read([])).toEqual({ a: 2, mine: true });
  });

  it("notices a change of the same size in the same second", async () => {
    const file = await put(join(await tempFolder(), "s.json"), '{ "a": 1 }');
    const store = new Env.SettingsStore({ sources: [{ source: file }] });
    await store.poll();
    await writeFile(file, '{ "a": 2 }');
    await store.poll();
    expect(store.read(["a"])).toBe(2);
  });

  it("keeps a write that came before the file was read", async () => {
    const file = await put(join(await tempFolder(), "s.json"), '{ "a": 1, "b": 1 }');
    const store = new Env.SettingsStore({ sources: [{ source: file, catchAll: true }] });
    store.write(["b"], 2);
    await store.poll();
    expect(store.read([])).toEqual({ a: 1, b: 2 });
  });

  it.each([
    { why: "does not parse", make: (file: string) => put(file, '{"a":1,,}') },
    { why: "is a folder", make: (file: string) => mkdir(file) },
    { why: "is no UTF-8", make: (file: string) => writeFile(file, Buffer.from([0x7b, 0xff, 0x7d])) },
    { why: "is larger than settings are", make: (file: string) => put(file, " ".repeat(1024 * 1024 + 1)) },
  ])("refuses a write to a file that $why, and leaves it alone", async ({ make }) => {
    const file = join(await tempFolder(), "s.json");
    await make(file);
    const store = new Env.SettingsStore({ sources: [{ source: file, catchAll: true }] });
    await store.poll();
    expect(store.read([])).toEqual({});
    expect(store.problems).toEqual([expect.objectContaining({ file })]);
    expect(() => store.write(["a"], 1)).toThrow(expect.objectContaining({ kind: "settings" }));
    expect(() => store.write(["a"], 1)).toThrow(file);
    await store.save();
  });

  it("keeps the last good data when a file breaks, and says so when it should be saved", async () => {
    const file = await put(join(await tempFolder(), "s.json"), '{ "a": 1 }');
    const store = new Env.SettingsStore({ sources: [{ source: file, catchAll: true }] });
    await store.poll();
    store.write(["b"], 2);
    await writeFile(file, '{ "a": ');
    await expect(store.save()).rejects.toMatchObject({ kind: "settings", details: { file, line: 1 } });
    expect(await readFile(file, "utf8")).toBe('{ "a": ');
    expect(store.read([])).toEqual({ a: 1, b: 2 });
    await writeFile(file, '{ "a": 3 }');
    await store.save();
    expect(await readFile(file, "utf8")).toBe('{ "a": 3, "b": 2 }');
  });

  it("writes through a link, as people link their dotfiles", async () => {
    const folder = await tempFolder();
    const real = await put(join(folder, "dotfiles/settings.json"), "{}");
    await symlink(real, join(folder, "settings.json"));
    const store = new Env.SettingsStore({
      sources: [{ source: join(folder, "settings.json"), catchAll: true }],
    });
    await store.poll();
    store.write(["a"], 1);
    await store.save();
    expect(await readFile(real, "utf8")).toBe('{\n  "a": 1\n}');
  });

  it("tells when a key that stands twice cannot be deleted", async () => {
    const file = await put(join(await tempFolder(), "s.json"), '{ "a": 1, "a": 2 }');
    const store = new Env.SettingsStore({ sources: [{ source: file, catchAll: true }] });
    await store.poll();
    store.write(["a"], undefined);
    await expect(store.save()).rejects.toMatchObject({ kind: "settings", details: { file } });
    expect(await readFile(file, "utf8")).toBe('{ "a": 1, "a": 2 }');
  });

  it("saves every healthy file before it reports the broken one", async () => {
    const folder = await tempFolder();
    const good = join(folder, "good.json");
    const bad = await put(join(folder, "bad.json"), "{}");
    const store = new Env.SettingsStore({
      sources: [
        { source: bad, at: ["bad"], catchAll: true },
        { source: good, at: ["good"], catchAll: true },
      ],
    });
    await store.poll();
    store.write(["bad", "a"], 1);
    store.write(["good", "a"], 1);
    await writeFile(bad, "{");
    await expect(store.save()).rejects.toMatchObject({ kind: "settings", details: { file: bad } });
    expect(await readFile(good, "utf8")).toBe('{\n  "a": 1\n}\n');
  });
});

describe("notices", () => {
  it("come once a round: loaded or saved, then updated when data changed", async () => {
    const file = await put(join(await tempFolder(), "s.json"), '{ "a": 1 }');
    const store = new Env.SettingsStore({ sources: [{ source: file, catchAll: true }] });
    const seen: string[] = [];
    for (const notice of ["loaded", "saved", "updated"] as const) {
      store.onNotice(notice, ({ files }) => seen.push(`${notice} ${files.length}`));
    }
    await store.poll();
    await store.poll();
    store.write(["a"], 2);
    store.write(["b"], 2);
    await store.save();
    await store.save();
    expect(seen).toEqual(["loaded 1", "updated 1", "loaded 0", "saved 1", "updated 1", "saved 0"]);
  });

  it("stop with their handle", async () => {
    const store = new Env.SettingsStore();
    let count = 0;
    const handle = store.onNotice("loaded", () => {
      count += 1;
    });
    expect(store.offNotice(handle)).toBe(true);
    expect(store.offNotice(handle)).toBe(false);
    await store.poll();
    expect(count).toBe(0);
  });
});
