import type { AuthRecord, ProviderClass, ToolDescriptor } from "@ashlar/context/provider";
import type { ToolContext, ToolDescriptions, ToolsRefresh } from "@ashlar/context/tool";
import type { Connection } from "./connection.js";
import type {
  ContentRoot,
  PromptCatalogue,
  Skill,
  SkillCatalogue,
  SkillInfo,
  SkillResource,
} from "./content/skill.js";
import type { Diagnostic } from "./diagnostic.js";
import type { ModelInfo } from "./models/model-info.js";
import type { InstalledPackage } from "./packages/installed-package.js";
import type { LayerName } from "./settings/layer-name.js";
import type { UserFolders } from "./settings/user-folders.js";
import type { ToolInfo, ToolValidation } from "./tools/tool-info.js";

export type { Diagnostic, LayerName };

export interface EnvOptions {
  /** File layers to read, weakest first. Default: all; `[]` for an Env without files. */
  readonly layers?: readonly Exclude<LayerName, "constructor">[];
  /** The strongest layer, in memory. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Provider classes by protocol name (`ollama`, `openai`, `openai-chat`, `test`). */
  readonly providers?: Readonly<Record<string, ProviderClass>>;
  /** The host's own tool roots: folders of modules, or descriptions whose entries carry `fn`. These may run in process. */
  readonly tools?: readonly (string | ToolDescriptions)[];
  /** The host's own content: absolute paths of folders with `skills/`, `prompts/` and `hooks/` in them. Hooks run in process. */
  readonly content?: readonly string[];
  /** Collect model lists in the background. Default true. */
  readonly collect?: boolean;
  /**
   * Credentials by endpoint, held in memory for this Env only and sent to no url that a project's settings chose.
   * Settings never hold credentials.
   */
  readonly credentials?: Readonly<Record<string, AuthRecord>>;
  /** Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface EndpointInfo {
  readonly name: string;
  /** Protocol name of its provider class. */
  readonly provider: string;
  readonly url: string;
  /** Found in the environment or by probing, and kept in memory only. */
  readonly dynamic: boolean;
  readonly disabled: boolean;
  readonly secret: boolean;
  readonly loginRequired: boolean;
  readonly hasCredentials: boolean;
}

export interface LoginOptions {
  /** Endpoint name. */
  readonly name: string;
  /** Default: the provider's known endpoint of that name, or the configured one. */
  readonly url?: string;
  readonly provider?: string;
  readonly token?: string;
  /** Where to store: `user`, `project`, or memory only when absent. */
  readonly scope?: "user" | "project";
}

export interface LoginResult {
  readonly name: string;
  readonly endpoint: EndpointInfo;
  readonly scope?: "user" | "project";
  readonly auth?: Pick<AuthRecord, "type">;
  readonly verified: Readonly<Record<string, unknown>>;
}

/** One project's environment. Knows nothing of the layers above it; they add members through `Env.extend`. */
export interface Env<I extends ModelInfo = ModelInfo> {
  /** Absolute, resolved path of the project folder: the registry key. */
  readonly cwd: string;
  /** The shortest path suffix that no other open Env shares. */
  readonly name: string;
  readonly closed: boolean;
  /** A view without write capability: `tools()` gives safe tools, `toolCall` refuses the rest. */
  readonly safe: Env<I>;
  readonly isSafe: boolean;
  /** Live and writable: reads fall back to schema defaults, an assignment persists only that path. */
  readonly settings: Record<string, unknown>;
  readonly diagnostics: readonly Diagnostic[];
  /** Child processes get this: the environment less what `env-allow` and `env-refuse` take out. */
  readonly childEnvironment: Readonly<Record<string, string>>;
  /** Every known key, nested ones with dots (`tools.timeout`). */
  settingsSchema(): Readonly<Record<string, SettingDescription>>;
  /** What each layer itself says at a key, weakest first. Rule lists are read this way, because they never merge. */
  settingLayers(key: string): readonly LayerValue[];
  /** Resolves when every assignment made so far is on disk; rejects with kind `settings` for what could not be saved. */
  settingsFlush(): Promise<void>;
  /** Are files of this layer read and written (`EnvOptions.layers`)? */
  hasLayer(layer: LayerName): boolean;
  /** Where this user's files lie. */
  readonly folders: UserFolders;
  /** What the settings key `packages` names and was found. */
  packages(): readonly InstalledPackage[];

  /** Keyed `endpoint/model`; hidden and disabled pairs only with `secret`. */
  models(secret?: boolean): ReadonlyMap<string, I>;
  /** Settles after the first collection pass; never rejects. */
  readonly modelsReady: Promise<void>;
  endpoints(): ReadonlyMap<string, EndpointInfo>;
  /** `endpoint/model`, a bare model id, or an endpoint alone. Throws kind `usage` with what would be right. */
  connection(selector: string, options?: { readonly remember?: boolean }): Connection;
  login(options: LoginOptions): Promise<LoginResult>;
  logout(name: string): Promise<{ readonly name: string; readonly dynamic: boolean }>;

  /** With `safe`, only safe tools; with `selector`, the model's provider tools shadow those of the same name. */
  tools(safe?: boolean, selector?: string): ReadonlyMap<string, ToolInfo>;
  /** Model-facing descriptors in a stable order; secret tools are left out. */
  toolDescriptors(names?: readonly string[], selector?: string): readonly ToolDescriptor[];
  toolValidate(name: string, args: unknown): ToolValidation;
  /** Runs the tool's function on arguments that were validated. Refuses what is not safe on the safe view. */
  toolCall(name: string, args: unknown, context: ToolContext): Promise<unknown>;
  /** Imports tool modules again; a module that fails keeps its earlier version. */
  toolsRefresh(): Promise<ToolsRefresh>;

  /** Where skills, prompts and hooks are looked for, weakest first. */
  contentRoots(): readonly ContentRoot[];
  /** Read from disk now; a file that cannot be used is a diagnostic and hides no other. */
  skills(): Promise<SkillCatalogue>;
  /** The skills as they were when somebody looked last. */
  readonly knownSkills: readonly SkillInfo[];
  /** Throws kind `usage` for an unknown name, `content` for includes that cannot be expanded. */
  skill(name: string): Promise<Skill>;
  /** The files beside a SKILL.md, over all layers that have the skill. Throws kind `usage` for an unknown name. */
  skillResources(name: string): Promise<readonly SkillResource[]>;
  /** The bytes of one of them, at most 16 MiB. Throws kind `usage` for what is not there, `content` for what cannot be read. */
  skillResource(name: string, path: string): Promise<Uint8Array>;
  prompts(): Promise<PromptCatalogue>;
  /** The prompt in the place of `/name` or `//name` at the start of a text; any other text as it is. Throws kind `content`, naming the prompt. */
  promptExpand(text: string): Promise<string>;
  /** Skills in the place of `{{name}}` and `{{name[3-9]}}`, each in a tag of its own; unknown names stay. Throws kind `content`. */
  expandIncludes(text: string): Promise<string>;
  /** Real paths of the folders whose code runs in this process: the host's tools and the hooks of trusted roots, those that exist. */
  codeFolders(): Promise<readonly string[]>;
  /** Absolute paths of the hook modules of all trusted roots. */
  hookFiles(): Promise<readonly string[]>;

  onEvent<P>(event: EventKey<P>, listener: (payload: P) => void): number;
  offEvent(handle: number): boolean;
  close(): Promise<void>;
}

/** One settings key, as plain data. */
export interface SettingDescription {
  /** A JSON Schema literal. */
  readonly schema: object;
  readonly default: unknown;
  readonly description: string;
  /** Layers that may set it. Default: all but `project`. */
  readonly layers?: readonly LayerName[];
  /** A list of rules: each layer's list stands for itself, none replaces another. */
  readonly rules?: boolean;
  readonly owner: string;
}

/** One layer's own value at a key. */
export interface LayerValue {
  readonly layer: LayerName;
  readonly value: unknown;
  /** Absolute path of the file; absent for the constructor's layer. */
  readonly file?: string;
}

declare const carries: unique symbol;
/** A plain Symbol at run time; the payload's type is the compiler's business only. */
export type EventKey<P> = symbol & { readonly [carries]: P };
