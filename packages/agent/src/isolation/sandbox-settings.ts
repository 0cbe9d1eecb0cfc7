import type { LayerValue } from "@ashlar/env";
import { isObject } from "../loop/json-object.js";
import type { IsolationLimits } from "./isolation-limits.js";

/** How calls that change something are confined. */
export interface SandboxSettings extends IsolationLimits {
  readonly network: "none" | "full";
  /** `ask`: what steers later agents is changed only by tools that ask; `open`: by any call. */
  readonly steering: "ask" | "open";
}

export const DEFAULT_SANDBOX_SETTINGS = {
  network: "none",
  steering: "ask",
  fileBytes: 1024 * 1024 * 1024,
  processes: 1024,
  temporaryBytes: 512 * 1024 * 1024,
} as const;

/**
 * The setting `sandbox` of all layers, weakest first. A project may only take the network away: nothing else of it
 * counts. `ignored` names what did not count.
 */
export function sandboxSettings(layers: readonly LayerValue[]): {
  readonly settings: SandboxSettings;
  readonly ignored: readonly string[];
} {
  let settings: SandboxSettings = { ...DEFAULT_SANDBOX_SETTINGS, memoryBytes: undefined };
  const ignored: string[] = [];
  for (const { layer, value } of layers) {
    if (!isObject(value)) continue;
    for (const [key, given] of Object.entries(value)) {
      if (layer === "project" && !(key === "network" && given === "none")) ignored.push(`sandbox.${key}`);
      else settings = withSetting(settings, key, given);
    }
  }
  return { settings, ignored };
}

function withSetting(settings: SandboxSettings, key: string, value: unknown): SandboxSettings {
  switch (key) {
    case "network":
      return value === "none" || value === "full" ? { ...settings, network: value } : settings;
    case "steering":
      return value === "ask" || value === "open" ? { ...settings, steering: value } : settings;
    case "memoryBytes":
      return { ...settings, memoryBytes: countOf(value) };
    case "fileBytes":
    case "processes":
    case "temporaryBytes":
      return { ...settings, [key]: countOf(value) ?? settings[key] };
    default:
      return settings;
  }
}

/** The schema was checked when the layer was admitted; anything else counts as not given. */
function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
