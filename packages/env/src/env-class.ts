import type { Env as EnvInstance, EnvOptions } from "./env.js";
import { EnvError } from "./env-error.js";
import { type OpenedEnv, openEnv, openEnvs } from "./env-registry.js";
import { setUp } from "./env-setup.js";
import type { EnvState } from "./env-state.js";
import { CORE_EVENTS, eventKeys } from "./events/event-keys.js";
import type { Adds, CoreEvents, EnvClass, Extension } from "./extend/extension.js";
import { type LoosePlugin, PluginRegistry } from "./extend/plugin-registry.js";
import { claimProcess } from "./extend/single-copy.js";
import type { ModelInfo } from "./models/model-info.js";
import { ProjectEnv, stateOf } from "./project-env.js";
import { CORE_OWNER, coreSettings } from "./settings/core-settings.js";
import { SettingsStore } from "./settings/settings-store.js";
import type { ToolIsolation } from "./tools/isolation/tool-isolation.js";
import { importingTool } from "./tools/tool-import-scope.js";

claimProcess(import.meta.url);

const plugins = new PluginRegistry({ owner: CORE_OWNER, events: CORE_EVENTS, settings: coreKeys });

interface LooseExtension {
  readonly Env: object;
  readonly emit: (env: EnvInstance, event: string, payload: unknown) => void;
  readonly settings: (env: EnvInstance) => object;
}

type Root = EnvClass<ModelInfo, unknown, CoreEvents>;

/** The class `Env`: one value for all; its type grows with `extend`. */
export const Env: Root = {
  // The keys were made from the same names; what they carry is known to the compiler only.
  EVENT: eventKeys.keys as Root["EVENT"],
  SettingsStore,
  get envs() {
    return openEnvs;
  },
  open(dir, options = {}) {
    return openEnv(dir, options, (cwd) => start(cwd, options));
  },
  [Symbol.hasInstance](value): value is EnvInstance {
    return stateOf(value) !== undefined;
  },
  join<I2 extends ModelInfo, M2, E2>(): EnvClass<ModelInfo & I2, M2, CoreEvents & E2> {
    // Every Env has the members of every plugin that was loaded, and both were.
    return Env as EnvClass<ModelInfo & I2, M2, CoreEvents & E2>;
  },
  extend<A extends Adds>(plugin: object): Extension<ModelInfo, unknown, CoreEvents, A> {
    // The compiler checked the plugin against its shape; its parts are checked again below.
    const extension = extendEnv(plugin as LoosePlugin);
    // What was installed is what the shape says.
    return extension as Extension<ModelInfo, unknown, CoreEvents, A>;
  },
};
export type Env<I extends ModelInfo = ModelInfo> = EnvInstance<I>;

function extendEnv(plugin: LoosePlugin): LooseExtension {
  const tool = importingTool();
  if (tool !== undefined) throw fromTool(plugin.name, tool);
  plugins.add(plugin, ownerOfMember);
  install(plugin);
  return extensionOf(plugin);
}

async function start(cwd: string, options: EnvOptions): Promise<OpenedEnv> {
  const opened: { env?: ProjectEnv } = {};
  const state = await setUp({
    cwd,
    options,
    plugins,
    eventName: (event) => eventKeys.nameOf(event) ?? "?",
    modelsChanged: eventKeys.keyOf("MODELS_CHANGED"),
    toolIsolation: (readOnlyProcess) => isolationFor(opened.env, readOnlyProcess),
  });
  const env: ProjectEnv = new ProjectEnv(state, (models) => withPluginFields(env, models));
  opened.env = env;
  await state.load();
  return { env, state };
}

/** Tools are loaded once the Env is there, so the plugin sees it whole. */
function isolationFor(env: ProjectEnv | undefined, readOnlyProcess: ToolIsolation): ToolIsolation {
  const make = plugins.toolIsolation();
  if (make === undefined || env === undefined) return readOnlyProcess;
  // The plugin's own type of Env is as wide as it needs: its members are installed by now.
  return make(env as never, readOnlyProcess);
}

function ownerOfMember(member: string): string | undefined {
  // A member `then` would make `await env` call it.
  return member in ProjectEnv.prototype || member === "then" ? CORE_OWNER : undefined;
}

function install({ methods, getters, events }: LoosePlugin): void {
  for (const [name, value] of Object.entries(methods ?? {}))
    Object.defineProperty(ProjectEnv.prototype, name, { value });
  for (const [name, get] of Object.entries(getters ?? {}))
    Object.defineProperty(ProjectEnv.prototype, name, { get });
  for (const event of events ?? []) eventKeys.add(event);
}

function extensionOf({ name, events = [], settings = {} }: LoosePlugin): LooseExtension {
  return Object.freeze({
    Env,
    emit: (env: EnvInstance, event: string, payload: unknown) => {
      if (!events.includes(event)) {
        throw new EnvError("extend", `Plugin "${name}" emits ${event}, which is not one of its events.`, {
          name: event,
          owners: [name],
        });
      }
      knownState(env, name).listeners.emit(eventKeys.keyOf(event), payload);
    },
    settings: (env: EnvInstance) => {
      const state = knownState(env, name);
      return Object.fromEntries(Object.keys(settings).map((key) => [key, state.settings.read([key])]));
    },
  });
}

function knownState(env: EnvInstance, plugin: string): EnvState {
  const state = stateOf(env);
  if (state !== undefined) return state;
  throw new EnvError("usage", `Plugin "${plugin}" was given something that is no Env.`, { argument: "env" });
}

/** The models with what plugins add to them now. A plugin that fails is said and adds nothing. */
function withPluginFields(
  env: ProjectEnv,
  models: ReadonlyMap<string, ModelInfo>,
): ReadonlyMap<string, ModelInfo> {
  const adding = plugins.modelFields();
  if (adding.length === 0) return models;
  const fieldsOf = (info: ModelInfo): object => {
    const fields = {};
    for (const { name, modelInfo } of adding) {
      try {
        // The plugin's own type of Env is as wide as it needs: its members are installed by now.
        Object.assign(fields, modelInfo(env as never, info));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        stateOf(env)?.diagnose({
          kind: "models",
          message: `Plugin "${name}" adds nothing to models: ${reason}`,
        });
      }
    }
    return fields;
  };
  return new Map([...models].map(([pair, info]) => [pair, Object.freeze({ ...fieldsOf(info), ...info })]));
}

function coreKeys(): readonly string[] {
  return Object.keys(coreSettings());
}

function fromTool(name: string, tool: string): EnvError<"extend"> {
  return new EnvError(
    "extend",
    `Plugin "${name}" extends Env while the tool module ${tool} loads. A tool module cannot extend Env; a layer extends it when the host imports the layer.`,
    { name, owners: [tool] },
  );
}
