import type { SettingDescription } from "../env.js";
import { EnvError } from "../env-error.js";
import type { ModelInfo } from "../models/model-info.js";
import { checkSetting, uncheckedKeywords } from "../settings/setting-check.js";
import type { ToolIsolation } from "../tools/isolation/tool-isolation.js";

/** A plugin as it comes at run time, its types gone. */
export interface LoosePlugin {
  readonly name: string;
  readonly methods?: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly getters?: Readonly<Record<string, () => unknown>>;
  readonly events?: readonly string[];
  readonly modelInfo?: (env: never, info: ModelInfo) => object;
  readonly settings?: Readonly<Record<string, Omit<SettingDescription, "owner">>>;
  readonly toolIsolation?: (env: never, readOnlyProcess: ToolIsolation) => ToolIsolation;
}

/** What Env itself owns. `settings` is asked when somebody needs it, so that an import builds no schema. */
export interface CoreNames {
  readonly owner: string;
  readonly events: readonly string[];
  readonly settings: () => readonly string[];
}

const PARTS = ["name", "methods", "getters", "events", "modelInfo", "settings", "toolIsolation"];

/** Who owns which name on Env. One per process. */
export class PluginRegistry {
  readonly #plugins = new Map<string, LoosePlugin>();
  readonly #owners = {
    members: new Map<string, string>(),
    events: new Map<string, string>(),
    settings: new Map<string, string>(),
  };
  #isolating: LoosePlugin | undefined;
  readonly #listeners = new Set<(plugin: LoosePlugin) => void>();
  readonly #core: CoreNames;

  constructor(core: CoreNames) {
    this.#core = core;
    for (const event of core.events) this.#owners.events.set(event, core.owner);
  }

  /**
   * Checks everything, then takes all names. `ownerOfMember` knows the members that no plugin brought.
   * Throws kind `extend`; then nothing was taken.
   */
  add(plugin: LoosePlugin, ownerOfMember: (name: string) => string | undefined): void {
    const { name } = plugin;
    this.#checkShape(plugin);
    const members = [...Object.keys(plugin.methods ?? {}), ...Object.keys(plugin.getters ?? {})];
    const events = plugin.events ?? [];
    const settings = Object.keys(plugin.settings ?? {});
    for (const member of members) {
      const owner = this.#owners.members.get(member) ?? ownerOfMember(member);
      if (owner !== undefined) throw taken("member", member, owner, name);
    }
    for (const event of events) refuseTaken("event", event, this.#owners.events.get(event), name);
    for (const key of settings) refuseTaken("setting", key, this.settingOwner(key), name);
    if (plugin.toolIsolation !== undefined) {
      if (this.#isolating !== undefined) throw taken("part", "toolIsolation", this.#isolating.name, name);
      this.#isolating = plugin;
    }
    this.#plugins.set(name, plugin);
    for (const member of members) this.#owners.members.set(member, name);
    for (const event of events) this.#owners.events.set(event, name);
    for (const key of settings) this.#owners.settings.set(rootOf(key), name);
    for (const listener of [...this.#listeners]) listener(plugin);
  }

  #checkShape(plugin: LoosePlugin): void {
    const { name } = plugin;
    if (typeof name !== "string" || name === "") throw misshapen("?", "a plugin needs a name");
    if (this.#plugins.has(name)) throw taken("plugin", name, name, name);
    const odd = Object.keys(plugin).find((part) => !PARTS.includes(part));
    if (odd !== undefined)
      throw misshapen(name, `"${odd}" is no part of a plugin; the parts are ${PARTS.join(", ")}`);
    const members = { ...plugin.methods, ...plugin.getters };
    for (const [member, value] of Object.entries(members)) {
      if (typeof value !== "function") throw misshapen(name, `member "${member}" is not a function`);
      if (plugin.methods?.[member] && plugin.getters?.[member]) throw taken("member", member, name, name);
    }
    for (const event of plugin.events ?? []) {
      if (!/^[A-Z][A-Z0-9_]*$/u.test(event))
        throw misshapen(name, `event "${event}" is not in capitals, such as AGENT_ADDED`);
    }
    for (const [key, setting] of Object.entries(plugin.settings ?? {}))
      checkPluginSetting(name, key, setting);
  }

  /** The key's owner, when a plugin or the core has it. */
  settingOwner(key: string): string | undefined {
    const root = rootOf(key);
    const isCore = this.#core.settings().some((core) => rootOf(core) === root);
    return isCore ? this.#core.owner : this.#owners.settings.get(root);
  }

  /** Keys of all plugins, with their owners. */
  settings(): Readonly<Record<string, SettingDescription>> {
    const entries = [...this.#plugins.values()].flatMap(({ name, settings }) =>
      Object.entries(settings ?? {}).map(([key, setting]) => [key, { ...setting, owner: name }] as const),
    );
    return Object.fromEntries(entries);
  }

  /** The plugins that add fields to a model, in the order they came. */
  modelFields(): readonly {
    readonly name: string;
    readonly modelInfo: NonNullable<LoosePlugin["modelInfo"]>;
  }[] {
    return [...this.#plugins.values()].flatMap(({ name, modelInfo }) =>
      modelInfo ? [{ name, modelInfo }] : [],
    );
  }

  /** What describes and runs the tools of packages in Envs that are opened from now on. */
  toolIsolation(): LoosePlugin["toolIsolation"] {
    return this.#isolating?.toolIsolation;
  }

  /** Called after each plugin. Gives the function that stops it. */
  onAdded(listener: (plugin: LoosePlugin) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

/** Throws kind `extend` when a setting could not be checked or its default is wrong. */
function checkPluginSetting(plugin: string, key: string, setting: Omit<SettingDescription, "owner">): void {
  if (!/^[A-Za-z][\w-]*$/u.test(key))
    throw misshapen(plugin, `setting "${key}" has letters, digits, _ and - only`);
  const odd = uncheckedKeywords(setting.schema);
  if (odd.length > 0) {
    throw misshapen(
      plugin,
      `setting "${key}": its schema uses ${odd.join(", ")}, which settings do not check`,
    );
  }
  const fault = setting.default === undefined ? undefined : checkSetting(setting.schema, setting.default);
  if (fault !== undefined) {
    throw misshapen(
      plugin,
      `setting "${key}": the default is ${fault.given}, the schema wants ${fault.wanted}`,
    );
  }
}

function rootOf(key: string): string {
  return key.split(".")[0] ?? key;
}

function refuseTaken(what: string, name: string, owner: string | undefined, plugin: string): void {
  if (owner !== undefined) throw taken(what, name, owner, plugin);
}

function taken(what: string, name: string, owner: string, plugin: string): EnvError<"extend"> {
  return new EnvError(
    "extend",
    `Env.extend: the ${what} "${name}" of plugin "${plugin}" is taken by "${owner}". A plugin extends Env, it never overrides.`,
    { name, owners: [owner, plugin] },
  );
}

function misshapen(plugin: string, problem: string): EnvError<"extend"> {
  return new EnvError("extend", `Env.extend: plugin "${plugin}": ${problem}.`, {
    name: plugin,
    owners: [plugin],
  });
}
