import type { ProviderClass, ToolDescriptor } from "@ashlar/context/provider";
import type { ToolContext, ToolsRefresh } from "@ashlar/context/tool";
import type { Connection } from "./connection.js";
import type {
  Diagnostic,
  EndpointInfo,
  EnvOptions,
  LayerName,
  LayerValue,
  LoginOptions,
  LoginResult,
  SettingDescription,
} from "./env.js";
import type { ModelInfo } from "./models/model-info.js";
import type { InstalledPackage } from "./packages/installed-package.js";
import type { UserFolders } from "./settings/user-folders.js";
import type { ToolInfo, ToolValidation } from "./tools/tool-info.js";

/** The layered settings as the parts of an Env use them. Paths are key lists: `["providers", "lab", "url"]`. */
export interface HostSettings {
  /** Merged over all layers, schema defaults below; undefined when nobody has it. The result is frozen. */
  readonly read: (path: readonly string[]) => unknown;
  /** Every layer that holds the path, weakest first, with what it is not allowed to set left out. */
  readonly layersOf: (path: readonly string[]) => readonly LayerValue[];
  /** Persists only this path, at the end of the tick; `undefined` deletes. Throws kind `settings`. */
  readonly write: (path: readonly string[], value: unknown) => void;
  /** Resolves when every pending write is on disk. */
  readonly flush: () => Promise<void>;
  /** Called after data changed, by a write or a changed file. */
  readonly onUpdate: (listener: () => void) => void;
  /** Documents the keys of a tool or another part; its defaults count from now on. A key of the same owner is replaced. */
  readonly describe: (
    owner: string,
    entries: Readonly<Record<string, Omit<SettingDescription, "owner">>>,
  ) => void;
}

/** What the parts of one Env (endpoints, catalogue, tools) know of it. Internal to this package. */
export interface EnvHost {
  /** Absolute real path of the project folder. */
  readonly cwd: string;
  readonly options: EnvOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folders: UserFolders;
  /** May files of this layer be read and written (`EnvOptions.layers`)? */
  readonly hasLayer: (layer: LayerName) => boolean;
  readonly settings: HostSettings;
  /** Accepted provider classes by protocol name: the host's (`EnvOptions.providers`), then those of packages. */
  readonly providers: () => ReadonlyMap<string, ProviderClass>;
  /** What the settings key `packages` names and was found. */
  readonly packages: () => readonly InstalledPackage[];
  /** Called in the next tick after a plugin came that adds fields to models: consumers should read them again. */
  readonly onModelFields: (listener: () => void) => void;
  /** Keeps the message once, however often it is given. */
  readonly diagnose: (diagnostic: Diagnostic) => void;
  readonly emitModelsChanged: (payload: { readonly revision: number }) => void;
  /** Replaces a file in one step, keeping links; creates its folder. `mode` such as 0o600 is enforced. */
  readonly writeFile: (file: string, text: string, options?: { readonly mode?: number }) => Promise<void>;
  readonly isClosed: () => boolean;
  /** Aborted when the Env closes. */
  readonly signal: AbortSignal;
}

/** What `createEndpoints(host)` gives; the Env methods of the same names delegate here. */
export interface EndpointsPart {
  readonly endpoints: () => ReadonlyMap<string, EndpointInfo>;
  readonly login: (options: LoginOptions) => Promise<LoginResult>;
  readonly logout: (name: string) => Promise<{ readonly name: string; readonly dynamic: boolean }>;
  readonly close: () => Promise<void>;
}

/** What `createCatalogue(host, endpoints)` gives. */
export interface CataloguePart {
  readonly models: (secret: boolean) => ReadonlyMap<string, ModelInfo>;
  readonly modelsReady: Promise<void>;
  readonly connection: (selector: string, options: { readonly remember?: boolean }) => Connection;
  readonly close: () => Promise<void>;
}

/** What `createToolRegistry(host)` gives. `safe` is already true when the call came through the safe view. */
export interface ToolRegistryPart {
  /** The first scan. Never rejects; what is left out becomes a diagnostic. */
  readonly load: () => Promise<void>;
  readonly tools: (safe: boolean, selector: string | undefined) => ReadonlyMap<string, ToolInfo>;
  readonly toolDescriptors: (
    names: readonly string[] | undefined,
    selector: string | undefined,
  ) => readonly ToolDescriptor[];
  readonly toolValidate: (name: string, args: unknown) => ToolValidation;
  readonly toolCall: (name: string, args: unknown, context: ToolContext, safe: boolean) => Promise<unknown>;
  readonly toolsRefresh: () => Promise<ToolsRefresh>;
  readonly close: () => Promise<void>;
}
