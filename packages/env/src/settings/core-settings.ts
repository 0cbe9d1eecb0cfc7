import type { LayerName, SettingDescription } from "../env.js";
import { coreSettingsSchema } from "../generated/core-settings-schema.js";
import { isSettingsData } from "./settings-data.js";

/** One endpoint's record under `providers`. Keys it does not name are kept. */
export interface EndpointSettings {
  readonly provider?: string | undefined;
  readonly url?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly secret?: boolean | undefined;
  readonly filter?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly tools?: Readonly<Record<string, boolean>> | undefined;
  readonly models?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly [key: string]: unknown;
}

/** The settings that Env itself owns; layers, packages and tools add theirs. */
export interface CoreSettings {
  readonly model?: string | undefined;
  readonly providers: Readonly<Record<string, EndpointSettings>>;
  readonly packages: readonly string[];
  readonly tools: {
    readonly folders: readonly string[];
    readonly timeout: number | string;
    readonly timeoutLimit: number | string;
    readonly concurrency: number;
  };
  readonly skills: { readonly folders: readonly string[] };
  readonly prompts: { readonly folders: readonly string[] };
  readonly "env-allow": readonly string[] | false;
  readonly "env-refuse": readonly string[] | false;
}

export const CORE_OWNER = "@ashlar/env";

/** The core keys as plain data, nested ones with dots. Descriptions, defaults and layers stand in the schema. */
export function coreSettings(): Readonly<Record<string, SettingDescription>> {
  return Object.fromEntries(entriesOf(coreSettingsSchema, ""));
}

function entriesOf(group: Readonly<Record<string, unknown>>, prefix: string): [string, SettingDescription][] {
  if (!isSettingsData(group.properties)) return [];
  return Object.entries(group.properties).flatMap(([name, schema]) => {
    if (!isSettingsData(schema)) return [];
    const key = prefix + name;
    return schema["x-group"] === true ? entriesOf(schema, `${key}.`) : [[key, describe(schema)]];
  });
}

function describe({
  "x-layers": layers,
  default: value,
  description,
  ...schema
}: Readonly<Record<string, unknown>>): SettingDescription {
  return {
    schema,
    default: value,
    description: String(description),
    layers: Array.isArray(layers) ? layers.filter(isLayer) : [],
    owner: CORE_OWNER,
  };
}

export const LAYERS: readonly LayerName[] = ["package", "packages", "user", "project", "constructor"];

function isLayer(value: unknown): value is LayerName {
  return LAYERS.some((layer) => layer === value);
}
