import type { ToolsRefresh } from "@ashlar/context/tool";
import type { Content } from "./content/content.js";
import type { Diagnostic, EnvOptions, LayerName } from "./env.js";
import type { CataloguePart, EndpointsPart, ToolRegistryPart } from "./env-host.js";
import type { Listeners } from "./events/listeners.js";
import type { InstalledPackage } from "./packages/installed-package.js";
import type { LayeredSettings } from "./settings/layered-settings.js";
import type { UserFolders } from "./settings/user-folders.js";

/** What one Env knows; its safe view shares it. */
export interface EnvState {
  readonly cwd: string;
  readonly options: EnvOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folders: UserFolders;
  readonly settings: LayeredSettings;
  readonly settingsView: Record<string, unknown>;
  readonly safeSettingsView: Record<string, unknown>;
  readonly diagnostics: () => readonly Diagnostic[];
  readonly diagnose: (diagnostic: Diagnostic) => void;
  readonly listeners: Listeners;
  readonly packages: () => readonly InstalledPackage[];
  readonly parts: EnvParts;
  readonly hasLayer: (layer: LayerName) => boolean;
  readonly isClosed: () => boolean;
  /** The first scan of the tools. */
  readonly load: () => Promise<void>;
  /** Reads settings, packages and tools again. */
  readonly refresh: () => Promise<ToolsRefresh>;
  /** Ends what the Env runs and saves what waits. */
  readonly shutDown: () => Promise<void>;
}

/** The parts that the Env's methods delegate to. */
export interface EnvParts {
  readonly endpoints: EndpointsPart;
  readonly catalogue: CataloguePart;
  readonly tools: ToolRegistryPart;
  readonly content: Content;
}
