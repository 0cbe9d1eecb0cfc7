import { join } from "node:path";
import { Env } from "@ashlar/env";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeProvider } from "../fake-provider.js";
import { openProject } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";
import { AgentEnv, plugin } from "./agent-layer.js";

let serial = 0;
/** Names are taken for the life of the process, so every test needs new ones. */
function fresh(): string {
  serial += 1;
  return `plugin${serial}`;
}

/** `extend` as a caller without types uses it. */
const extendLoosely = (part: object): unknown => Reflect.apply(Env.extend, Env, [part]);

const extendFault = (name: string, ...owners: string[]) =>
  expect.objectContaining({ kind: "extend", details: { name, owners } });

describe("what a layer adds", () => {
  it("is on every Env, whichever class value opened it, and on the safe view", async () => {
    const { env } = await openProject();
    expect(env instanceof AgentEnv).toBe(true);
    expect(env.safe instanceof Env).toBe(true);
    if (!(env instanceof AgentEnv)) return;
    env.agentCreate({ name: "a" });
    expect(env.agentCount).toBe(1);
    expect(env.safe.isSafe).toBe(true);
    expect(Reflect.get(env.safe, "agentCount")).toBe(1);
    expect(env.pick(["x"])).toBe("x");
  });

  it("reaches Envs that are open already", async () => {
    const { env } = await openProject();
    const name = fresh();
    extendLoosely({
      name,
      methods: {
        [`${name}Where`](this: Env) {
          return this.cwd;
        },
      },
    });
    expect(Reflect.apply(Reflect.get(env, `${name}Where`), env, [])).toBe(env.cwd);
  });

  it("is the same class for all: join and extend give the same value", () => {
    expect(Env.join(AgentEnv)).toBe(Env);
    expect(plugin.Env).toBe(Env);
    expect({} instanceof Env).toBe(false);
    const nothing: unknown = null;
    expect(nothing instanceof Env).toBe(false);
  });

  it("cannot be replaced afterwards", async () => {
    const { env } = await openProject();
    expect(() => Reflect.set(Object.getPrototypeOf(env), "agents", () => [])).not.toThrow();
    expect(Reflect.set(env, "agents", () => [])).toBe(false);
    expect(Reflect.defineProperty(Object.getPrototypeOf(env), "agents", { value: 1 })).toBe(false);
  });
});

describe("events", () => {
  it("are Symbols under their names, and only their plugin emits them", async () => {
    const { env } = await openProject();
    const { AGENT_ADDED } = AgentEnv.EVENT;
    expect(typeof AGENT_ADDED).toBe("symbol");
    expect(String(AGENT_ADDED)).toBe("Symbol(AGENT_ADDED)");
    const seen: string[] = [];
    env.onEvent(AGENT_ADDED, ({ agent }) => seen.push(agent.name));
    plugin.emit(env, "AGENT_ADDED", { agent: { name: "a" } });
    plugin.emit(env.safe, "AGENT_ADDED", { agent: { name: "b" } });
    expect(seen).toEqual(["a", "b"]);
    expect(() => Reflect.apply(plugin.emit, plugin, [env, "MODELS_CHANGED", {}])).toThrow(
      extendFault("MODELS_CHANGED", "agent"),
    );
    expect(() => Reflect.apply(plugin.emit, plugin, [{}, "AGENT_ADDED", {}])).toThrow(
      expect.objectContaining({ kind: "usage" }),
    );
  });
});

describe("settings", () => {
  it("are read with their defaults, and documented", async () => {
    const { env } = await openProject({ user: '{ "maxActive": 3 }' });
    expect(plugin.settings(env)).toEqual({ maxActive: 3 });
    expect(env.settingsSchema().maxActive).toMatchObject({ owner: "agent", default: 8 });
    const other = await openProject({ project: '{ "maxActive": 99 }' });
    expect(plugin.settings(other.env)).toEqual({ maxActive: 8 });
    expect(other.env.diagnostics[0]?.message).toContain("maxActive cannot be set by the project");
  });

  it("count at once in Envs that are open, for values that were there before", async () => {
    const key = fresh();
    const { env } = await openProject({ user: `{ "${key}": 5 }`, project: `{ "${key}": 6 }` });
    expect(env.settings[key]).toBe(6);
    expect(env.diagnostics).toHaveLength(2);
    extendLoosely({
      name: key,
      settings: { [key]: { schema: { type: "integer" }, default: 1, description: "x" } },
    });
    expect(env.settings[key]).toBe(5);
    expect(env.diagnostics.map(({ message }) => message.replace(/^.*?: /u, ""))).toEqual([
      `${key} cannot be set by the project and is ignored there.`,
    ]);
  });

  it("that are lists of rules never merge: each layer's list stands for itself", async () => {
    const key = fresh();
    extendLoosely({
      name: key,
      settings: {
        [key]: {
          schema: { type: "array", items: { type: "string" } },
          default: [],
          description: "rules",
          layers: ["user", "project", "constructor"],
          rules: true,
        },
      },
    });
    const { env, userFile, projectFile } = await openProject({
      user: `{ "${key}": ["deny bash"] }`,
      project: `{ "${key}": ["allow bash"] }`,
    });
    expect(env.settingLayers(key)).toEqual([
      { layer: "user", value: ["deny bash"], file: userFile },
      { layer: "project", value: ["allow bash"], file: projectFile },
    ]);
    expect(env.settings[key]).toEqual(["deny bash"]);
  });
});

describe("fields of models", () => {
  it("come from every plugin, are asked for again after a new one, and never replace Env's own", async () => {
    const { env } = await openProject({
      options: { providers: { fake: FakeProvider }, layers: ["user"] },
      user: lab,
    });
    const model = () => env.models().get("lab/m");
    expect(model()).toMatchObject({ endpoint: "lab", model: "m", maxActive: 8, active: 0 });
    if (env instanceof AgentEnv) env.agentCreate();
    expect(model()).toMatchObject({ active: 1 });
    expect(Object.isFrozen(model())).toBe(true);

    const name = fresh();
    const changed = new Promise<number>((resolve) => {
      env.onEvent(Env.EVENT.MODELS_CHANGED, ({ revision }) => resolve(revision));
    });
    extendLoosely({
      name,
      modelInfo: (_: Env, info: { model: string }) => ({ [name]: info.model, endpoint: "x" }),
    });
    expect(await changed).toBeGreaterThan(0);
    expect(model()).toMatchObject({ endpoint: "lab", [name]: "m" });
  });

  it("of a plugin that fails are left out, and said", async () => {
    const name = fresh();
    extendLoosely({
      name,
      modelInfo: () => {
        throw new Error("no idea");
      },
    });
    const { env } = await openProject({
      options: { providers: { fake: FakeProvider }, layers: ["user"] },
      user: lab,
    });
    expect(env.models().get("lab/m")).toMatchObject({ model: "m", maxActive: 8 });
    expect(env.diagnostics).toContainEqual({
      kind: "models",
      message: `Plugin "${name}" adds nothing to models: no idea`,
    });
  });
});

const lab =
  '{ "providers": { "lab": { "provider": "fake", "url": "http://127.0.0.1:9", "models": { "m": {} } } } }';
const method = (name: string): { readonly methods: object } => ({ methods: { [name]: () => 1 } });

interface TakenName {
  readonly why: string;
  readonly part: { readonly methods?: object; readonly [part: string]: unknown };
  readonly name: string;
  readonly owner: string;
}

describe("a taken name", () => {
  it.each<TakenName>([
    { why: "a member of Env", part: method("models"), name: "models", owner: "@ashlar/env" },
    { why: "a getter of Env", part: { getters: { cwd: () => "" } }, name: "cwd", owner: "@ashlar/env" },
    {
      why: "what every object has",
      part: method("toString"),
      name: "toString",
      owner: "@ashlar/env",
    },
    {
      why: "what await would call",
      part: method("then"),
      name: "then",
      owner: "@ashlar/env",
    },
    { why: "a member of a plugin", part: method("agents"), name: "agents", owner: "agent" },
    {
      why: "an event of Env",
      part: { events: ["MODELS_CHANGED"] },
      name: "MODELS_CHANGED",
      owner: "@ashlar/env",
    },
    { why: "an event of a plugin", part: { events: ["AGENT_ADDED"] }, name: "AGENT_ADDED", owner: "agent" },
    { why: "a setting of Env", part: setting("model"), name: "model", owner: "@ashlar/env" },
    { why: "the group of a setting of Env", part: setting("tools"), name: "tools", owner: "@ashlar/env" },
    { why: "a setting of a plugin", part: setting("maxActive"), name: "maxActive", owner: "agent" },
  ])("of $why names both owners, and nothing of the plugin is installed", async ({ part, name, owner }) => {
    const plug = fresh();
    const extra = `${plug}Extra`;
    const methods = { ...part.methods, [extra]: () => 1 };
    expect(() => extendLoosely({ name: plug, ...part, methods })).toThrow(extendFault(name, owner, plug));
    expect(() => extendLoosely({ name: plug, ...part, methods })).toThrow(
      new RegExp(`"${name}".*"${plug}".*"${owner}"`, "u"),
    );
    const { env } = await openProject();
    expect(extra in env).toBe(false);
    expect(extendLoosely({ name: plug, methods: { [extra]: () => 1 } })).toBeDefined();
  });

  it("of a plugin itself is refused: a layer installs once", () => {
    expect(() => extendLoosely({ name: "agent" })).toThrow(extendFault("agent", "agent", "agent"));
  });
});

function setting(key: string, schema: object = {}, value: unknown = 1) {
  return { settings: { [key]: { schema, default: value, description: "x" } } };
}

describe("a plugin that is not right", () => {
  it.each([
    { why: "no name", part: { name: "" }, says: "needs a name" },
    { why: "a misspelt part", part: { method: {} }, says: '"method" is no part of a plugin' },
    {
      why: "a member that is no function",
      part: { methods: { x: 1 } },
      says: 'member "x" is not a function',
    },
    { why: "one name twice", part: { methods: { x() {} }, getters: { x: () => 1 } }, says: '"x"' },
    {
      why: "an event in small letters",
      part: { events: ["added"] },
      says: 'event "added" is not in capitals',
    },
    { why: "a dotted setting", part: setting("a.b"), says: 'setting "a.b"' },
    { why: "a schema that nobody checks", part: setting("k", { oneOf: [] }), says: "oneOf" },
    { why: "a default against its schema", part: setting("k", { type: "string" }), says: "the default is 1" },
  ])("is refused: $why", ({ part, says }) => {
    const attempt = () => extendLoosely({ name: fresh(), ...part });
    expect(attempt).toThrow(expect.objectContaining({ kind: "extend" }));
    expect(attempt).toThrow(says);
  });
});

it("is refused while a tool module loads, naming the module", async () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "extendFromTool"));
  Reflect.set(globalThis, "extendFromTool", () => extendLoosely({ name: fresh() }));
  const tools = join(await tempFolder(), "tools");
  const file = await put(
    join(tools, "evil.js"),
    "globalThis.extendFromTool(); export const toolDescription = () => ({});",
  );
  const { env } = await openProject({ options: { tools: [tools] } });
  expect(env.diagnostics).toContainEqual(
    expect.objectContaining({
      kind: "tool",
      message: expect.stringMatching(/extends Env while the tool module .*evil\.js loads/u),
    }),
  );
  expect(env.diagnostics[0]?.message).toContain(file);
  expect(extendLoosely({ name: fresh() })).toBeDefined();
});
