import type { ToolDescriptor } from "@ashlar/context/provider";
import type { ToolContext, ToolsRefresh } from "@ashlar/context/tool";
import { childEnvironment } from "./child-environment.js";
import type { Connection } from "./connection.js";
import { codeFolders } from "./content/code-folders.js";
import type {
  ContentRoot,
  PromptCatalogue,
  Skill,
  SkillCatalogue,
  SkillInfo,
  SkillResource,
} from "./content/skill.js";
import type {
  Diagnostic,
  EndpointInfo,
  Env,
  EventKey,
  LayerName,
  LayerValue,
  LoginOptions,
  LoginResult,
  SettingDescription,
} from "./env.js";
import { EnvError } from "./env-error.js";
import { closeEnv, nameOf } from "./env-registry.js";
import type { EnvState } from "./env-state.js";
import { eventKeys } from "./events/event-keys.js";
import type { ModelInfo } from "./models/model-info.js";
import type { InstalledPackage } from "./packages/installed-package.js";
import type { UserFolders } from "./settings/user-folders.js";
import type { ToolInfo, ToolValidation } from "./tools/tool-info.js";

const STATE = Symbol("state");
const VIEW = Symbol("safe view");
const SAFE = Symbol("is safe");
const PUBLISHED = Symbol("published models");

type PublishModels = (models: ReadonlyMap<string, ModelInfo>) => ReadonlyMap<string, ModelInfo>;

/** The run-time class behind `Env`. Its state lies under a Symbol, so that the safe view (`Object.create(env)`) shares it. */
export class ProjectEnv implements Env {
  declare readonly [STATE]: EnvState;
  declare readonly [VIEW]: ProjectEnv;
  declare readonly [SAFE]: boolean;
  declare readonly [PUBLISHED]: PublishModels;

  /** `publish` adds what plugins know of each model. */
  constructor(state: EnvState, publish: PublishModels) {
    Object.defineProperty(this, STATE, { value: state });
    Object.defineProperty(this, PUBLISHED, { value: publish });
    Object.defineProperty(this, SAFE, { value: false });
    // Object.create is typed as any; the view has this object's own type.
    const view = Object.create(this, { [SAFE]: { value: true } }) as ProjectEnv;
    Object.defineProperty(this, VIEW, { value: view });
  }

  get cwd(): string {
    return this[STATE].cwd;
  }
  get name(): string {
    return nameOf(this[STATE].cwd);
  }
  get closed(): boolean {
    return this[STATE].isClosed();
  }
  get safe(): ProjectEnv {
    return this[VIEW];
  }
  get isSafe(): boolean {
    return this[SAFE];
  }
  get folders(): UserFolders {
    return this[STATE].folders;
  }
  get diagnostics(): readonly Diagnostic[] {
    return this[STATE].diagnostics();
  }

  get settings(): Record<string, unknown> {
    return this[SAFE] ? this[STATE].safeSettingsView : this[STATE].settingsView;
  }
  settingsSchema(): Readonly<Record<string, SettingDescription>> {
    return this[STATE].settings.schema.entries;
  }
  settingLayers(key: string): readonly LayerValue[] {
    return this[STATE].settings.layersOf(key.split("."));
  }
  settingsFlush(): Promise<void> {
    return this[STATE].settings.flush();
  }
  hasLayer(layer: LayerName): boolean {
    return this[STATE].hasLayer(layer);
  }
  get childEnvironment(): Readonly<Record<string, string>> {
    const { settings, environment } = this[STATE];
    const rule = (key: string): readonly string[] | false => {
      const value = settings.read([key]);
      return Array.isArray(value) ? value.map(String) : false;
    };
    return childEnvironment(environment, { allow: rule("env-allow"), refuse: rule("env-refuse") });
  }
  packages(): readonly InstalledPackage[] {
    return this[STATE].packages();
  }

  models(secret = false): ReadonlyMap<string, ModelInfo> {
    return this[PUBLISHED](this[STATE].parts.catalogue.models(secret));
  }
  get modelsReady(): Promise<void> {
    return this[STATE].parts.catalogue.modelsReady;
  }
  endpoints(): ReadonlyMap<string, EndpointInfo> {
    return this[STATE].parts.endpoints.endpoints();
  }
  connection(selector: string, options: { readonly remember?: boolean } = {}): Connection {
    return openState(this, "connection").parts.catalogue.connection(selector, options);
  }
  async login(options: LoginOptions): Promise<LoginResult> {
    return openState(this, "login").parts.endpoints.login(options);
  }
  async logout(name: string): Promise<{ readonly name: string; readonly dynamic: boolean }> {
    return openState(this, "logout").parts.endpoints.logout(name);
  }

  tools(safe = false, selector?: string): ReadonlyMap<string, ToolInfo> {
    return this[STATE].parts.tools.tools(safe || this[SAFE], selector);
  }
  toolDescriptors(names?: readonly string[], selector?: string): readonly ToolDescriptor[] {
    return this[STATE].parts.tools.toolDescriptors(names, selector);
  }
  toolValidate(name: string, args: unknown): ToolValidation {
    return this[STATE].parts.tools.toolValidate(name, args);
  }
  async toolCall(name: string, args: unknown, context: ToolContext): Promise<unknown> {
    return openState(this, "toolCall").parts.tools.toolCall(name, args, context, this[SAFE]);
  }
  async toolsRefresh(): Promise<ToolsRefresh> {
    return openState(this, "toolsRefresh").refresh();
  }

  contentRoots(): readonly ContentRoot[] {
    return this[STATE].parts.content.roots;
  }
  async skills(): Promise<SkillCatalogue> {
    return this[STATE].parts.content.skills();
  }
  get knownSkills(): readonly SkillInfo[] {
    return this[STATE].parts.content.known;
  }
  async skill(name: string): Promise<Skill> {
    return this[STATE].parts.content.skill(name);
  }
  async skillResources(name: string): Promise<readonly SkillResource[]> {
    return this[STATE].parts.content.skillResources(name);
  }
  async skillResource(name: string, path: string): Promise<Uint8Array> {
    return this[STATE].parts.content.skillResource(name, path);
  }
  async prompts(): Promise<PromptCatalogue> {
    return this[STATE].parts.content.prompts();
  }
  async promptExpand(text: string): Promise<string> {
    return this[STATE].parts.content.promptExpand(text);
  }
  async expandIncludes(text: string): Promise<string> {
    return this[STATE].parts.content.expandIncludes(text);
  }
  async codeFolders(): Promise<readonly string[]> {
    const { options, parts } = this[STATE];
    return codeFolders(options.tools ?? [], parts.content.roots);
  }
  async hookFiles(): Promise<readonly string[]> {
    return this[STATE].parts.content.hookFiles();
  }

  onEvent<P>(event: EventKey<P>, listener: (payload: P) => void): number {
    if (eventKeys.nameOf(event) === undefined) {
      throw new EnvError("usage", `env.onEvent: ${String(event)} is no event; they stand in Env.EVENT.`, {
        argument: "event",
      });
    }
    if (typeof listener !== "function") {
      throw new EnvError("usage", "env.onEvent: the listener is no function.", { argument: "listener" });
    }
    return this[STATE].listeners.on(event, listener);
  }
  offEvent(handle: number): boolean {
    return this[STATE].listeners.off(handle);
  }

  async close(): Promise<void> {
    await closeEnv(this[STATE].cwd, this[STATE]);
  }
}

/** The state behind an Env or its safe view; undefined for anything else. */
export function stateOf(value: unknown): EnvState | undefined {
  return value instanceof ProjectEnv ? value[STATE] : undefined;
}

function openState(env: ProjectEnv, action: string): EnvState {
  const state = env[STATE];
  if (state.isClosed()) throw new EnvError("closed", `env.${action}: the Env of ${state.cwd} is closed.`, {});
  return state;
}
