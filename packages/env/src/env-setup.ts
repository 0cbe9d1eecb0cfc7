import { writeFileAtomically } from "./atomic-file.js";
import { DiagnosticLog } from "./diagnostic-log.js";
import type { EnvOptions, LayerName } from "./env.js";
import { EnvError } from "./env-error.js";
import type { EnvHost, HostSettings } from "./env-host.js";
import { createParts } from "./env-parts.js";
import type { EnvParts, EnvState } from "./env-state.js";
import { Listeners } from "./events/listeners.js";
import type { PluginRegistry } from "./extend/plugin-registry.js";
import { packageFile } from "./package-root.js";
import { PackageSet } from "./packages/package-set.js";
import { LayeredSettings } from "./settings/layered-settings.js";
import { EnvSettingEntries } from "./settings/setting-entries.js";
import { createSettingsView } from "./settings/settings-view.js";
import { type UserFolders, userFolders } from "./settings/user-folders.js";
import type { ToolIsolation } from "./tools/isolation/tool-isolation.js";

const FILE_LAYERS: readonly LayerName[] = ["package", "packages", "user", "project"];

/** What the class gives to one Env at its start. */
export interface SetupRequest {
  readonly cwd: string;
  readonly options: EnvOptions;
  readonly plugins: PluginRegistry;
  readonly eventName: (event: symbol) => string;
  readonly modelsChanged: symbol;
  /** A plugin's sandbox, or the process that can write no file. */
  readonly toolIsolation: (readOnlyProcess: ToolIsolation) => ToolIsolation;
}

interface Ground {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folders: UserFolders;
  readonly layers: readonly LayerName[];
  readonly log: DiagnosticLog;
  readonly listeners: Listeners;
  readonly entries: EnvSettingEntries;
  readonly settings: LayeredSettings;
  readonly packages: PackageSet;
  readonly closing: AbortController;
}

/** Builds one Env's parts and reads what there is to read. Rejects with kind `settings` or `usage`. */
export async function setUp(request: SetupRequest): Promise<EnvState> {
  const ground = layGround(request);
  const { settings, packages, listeners, log, closing } = ground;
  const readFiles = async (): Promise<void> => {
    await settings.poll();
    await packages.load(settings.layersOf(["packages"]));
    await settings.replacePackages(await packages.settingsFiles());
  };
  const modelFieldListeners: (() => void)[] = [];
  const stopFollowing = followPlugins(request.plugins, ground, modelFieldListeners);
  const makeParts = async (): Promise<EnvParts> => {
    await readFiles();
    return createParts(createHost(request, ground, modelFieldListeners), request.toolIsolation);
  };
  const parts = await makeParts().catch((error: unknown) => {
    stopFollowing();
    throw error;
  });
  const view = createSettingsView({
    read: (path) => settings.read(path),
    write: (path, value) => writeOpen(ground, path, value),
  });
  return {
    cwd: request.cwd,
    options: request.options,
    environment: ground.environment,
    folders: ground.folders,
    settings,
    settingsView: view,
    safeSettingsView: createSettingsView({ read: (path) => settings.read(path), write: refuseSafeWrite }),
    diagnostics: () => [...settings.diagnostics(), ...log.entries(), ...parts.content.diagnostics],
    diagnose: (diagnostic) => log.add(diagnostic),
    listeners,
    packages: () => packages.packages,
    parts,
    hasLayer: layerTest(ground),
    isClosed: () => closing.signal.aborted,
    load: () => parts.tools.load(),
    refresh: async () => {
      await readFiles();
      return parts.tools.toolsRefresh();
    },
    shutDown: async () => {
      closing.abort();
      stopFollowing();
      try {
        await Promise.all([parts.tools.close(), parts.catalogue.close()]);
        await parts.endpoints.close();
      } finally {
        await settings.close();
        listeners.clear();
      }
    },
  };
}

function layGround({ cwd, options, plugins, eventName }: SetupRequest): Ground {
  const environment = options.environment ?? process.env;
  const folders = userFolders(environment);
  const layers = options.layers ?? FILE_LAYERS;
  const log = new DiagnosticLog();
  const entries = new EnvSettingEntries(plugins);
  const settings = new LayeredSettings({
    cwd,
    config: folders.config,
    packageFile: packageFile("settings.json"),
    layers,
    settings: options.settings ?? {},
    entries: entries.all(),
    diagnose: (diagnostic) => log.add(diagnostic),
  });
  const packages = new PackageSet({
    data: folders.data,
    providers: options.providers ?? {},
    diagnose: (diagnostic) => log.add(diagnostic),
  });
  const listeners = new Listeners((event, error) => {
    const reason = error instanceof Error ? error.message : String(error);
    log.add({ kind: "event", message: `A listener of ${eventName(event)} failed: ${reason}` });
  });
  return {
    environment,
    folders,
    layers,
    log,
    entries,
    settings,
    packages,
    listeners,
    closing: new AbortController(),
  };
}

/** A plugin's settings count at once; what it adds to models is asked for in the next tick. */
function followPlugins(
  plugins: PluginRegistry,
  ground: Ground,
  modelFields: readonly (() => void)[],
): () => void {
  let waiting: NodeJS.Immediate | undefined;
  const stop = plugins.onAdded(({ modelInfo, settings }) => {
    if (settings !== undefined) ground.settings.replaceEntries(ground.entries.all());
    if (modelInfo === undefined) return;
    waiting ??= setImmediate(() => {
      waiting = undefined;
      for (const listener of modelFields) listener();
    });
  });
  return () => {
    clearImmediate(waiting);
    stop();
  };
}

function createHost(request: SetupRequest, ground: Ground, modelFieldListeners: (() => void)[]): EnvHost {
  const { packages, log, listeners, closing } = ground;
  return {
    cwd: request.cwd,
    options: request.options,
    environment: ground.environment,
    folders: ground.folders,
    hasLayer: layerTest(ground),
    settings: hostSettings(ground),
    providers: () => packages.providers,
    packages: () => packages.packages,
    onModelFields: (listener) => {
      modelFieldListeners.push(listener);
    },
    diagnose: (diagnostic) => log.add(diagnostic),
    emitModelsChanged: (payload) => listeners.emit(request.modelsChanged, payload),
    writeFile: writeFileAtomically,
    isClosed: () => closing.signal.aborted,
    signal: closing.signal,
  };
}

function layerTest({ layers }: Ground): (layer: LayerName) => boolean {
  return (layer) => layer === "constructor" || layers.includes(layer);
}

function hostSettings(ground: Ground): HostSettings {
  const { settings, entries } = ground;
  return {
    read: (path) => settings.read(path),
    layersOf: (path) => settings.layersOf(path),
    write: (path, value) => writeOpen(ground, path, value),
    flush: () => settings.flush(),
    onUpdate: (listener) => settings.onUpdate(listener),
    describe: (owner, described) => {
      entries.describe(owner, described);
      settings.replaceEntries(entries.all());
    },
  };
}

function writeOpen({ closing, settings }: Ground, path: readonly string[], value: unknown): void {
  if (closing.signal.aborted) {
    throw new EnvError("closed", `${path.join(".")} was not changed: this Env is closed.`, {});
  }
  settings.write(path, value);
}

function refuseSafeWrite(path: readonly string[]): never {
  const name = path.join(".");
  throw new EnvError(
    "refused",
    `${name} was not changed: settings cannot be written through the safe view.`,
    {
      name,
      reason: "safe view",
    },
  );
}
