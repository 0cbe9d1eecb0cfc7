export type { Connection } from "./connection.js";
export type {
  ContentKind,
  ContentRoot,
  PromptCatalogue,
  PromptInfo,
  Skill,
  SkillCatalogue,
  SkillInfo,
  SkillResource,
} from "./content/skill.js";
export { parseDuration } from "./duration.js";
export type {
  Diagnostic,
  EndpointInfo,
  EnvOptions,
  EventKey,
  LayerName,
  LayerValue,
  LoginOptions,
  LoginResult,
  SettingDescription,
} from "./env.js";
export { Env } from "./env-class.js";
export { EnvError, type EnvErrorDetails, type EnvErrorKind, isEnvError } from "./env-error.js";
export type {
  Adds,
  CoreEvents,
  EnvClass,
  EnvOf,
  Extended,
  Extension,
  Plugin,
  Setting,
} from "./extend/extension.js";
export type { ModelInfo } from "./models/model-info.js";
export type { InstalledPackage, PackageKind } from "./packages/installed-package.js";
export { settingsDocument } from "./settings/settings-document.js";
export type { SettingsNotice, SettingsNoticeDetails } from "./settings/settings-notice.js";
export type { SettingsSource } from "./settings/settings-source.js";
export type { SettingsProblem, SettingsStore, SettingsStoreOptions } from "./settings/settings-store.js";
export { settingsTemplate } from "./settings/settings-template.js";
export type { UserFolders } from "./settings/user-folders.js";
export type {
  DescribedModule,
  DescribeRequest,
  IsolatedCall,
  ToolIsolation,
} from "./tools/isolation/tool-isolation.js";
export { jsonSchemaOf } from "./tools/schema/json-schema-of.js";
export type { ToolInfo, ToolValidation } from "./tools/tool-info.js";
