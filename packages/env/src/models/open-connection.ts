import type { ModelMetadata } from "@ashlar/context/provider";
import type { Connection } from "../connection.js";
import { parseDuration } from "../duration.js";
import type { Endpoint } from "../endpoints/endpoint.js";
import type { Endpoints } from "../endpoints/endpoints.js";
import { EnvError } from "../env-error.js";
import { isSettingsData, mergeData, type SettingsData } from "../settings/settings-data.js";
import { metadataOf } from "./build-models.js";
import type { SelectedModel } from "./selector.js";

/** Keys that say where a model is and how it is shown; the wire has no use for them. */
const CATALOGUE_KEYS: ReadonlySet<string> = new Set([
  "provider",
  "url",
  "model",
  "models",
  "disabled",
  "secret",
  "filter",
]);
const DURATION_KEYS = ["timeout", "connectTimeout", "firstEventTimeout", "stuckTimeout"];

/** What a connection to the pair is: its settings and metadata stay live, its address is fixed. */
export function openConnection(
  { endpoint, model }: SelectedModel,
  endpoints: Endpoints,
  listed: (endpoint: Endpoint) => ModelMetadata | undefined,
): Connection {
  const { view, credentials, transport } = endpoints;
  const { name, origin, url, Provider } = endpoint;
  const { problem } = endpoint;
  if (problem !== undefined || Provider === undefined) {
    const file = endpoint.urlOrigin.file;
    const details = { key: `providers.${name}`, ...(file === undefined ? {} : { file }) };
    throw new EnvError("settings", `endpoint ${name}: ${problem ?? "it has no provider"}`, details);
  }
  const withheld = view.withheld(endpoint);
  if (withheld !== undefined) throw new EnvError("auth", withheld, { endpoint: name });
  const current = (): Endpoint => view.find(name) ?? endpoint;
  // A wrong duration is an error here, not in the middle of a run.
  connectionSettings(endpoint, model);
  return {
    endpoint: name,
    model,
    Provider,
    url,
    transport,
    get settings() {
      return connectionSettings(current(), model);
    },
    get info() {
      return metadataOf(current(), model, listed(current()));
    },
    auth: () => view.authOf(name, origin),
    authReload: async () => {
      const before = view.authOf(name, origin);
      const changed = await credentials.reload(name);
      if (changed) view.changed();
      return changed && view.authOf(name, origin) !== before;
    },
    authSet: async (auth) => {
      await credentials.replaceAuth(name, origin, auth);
      view.changed();
    },
    authReport: (outcome) => view.authReport(name, outcome),
  };
}

/** The endpoint's settings with the model's merged over them, durations in milliseconds. Throws kind `settings`. */
function connectionSettings({ name, record }: Endpoint, model: string): SettingsData {
  const endpointSettings = Object.entries(record.settings).filter(([key]) => !CATALOGUE_KEYS.has(key));
  const own = Object.entries(record.models[model] ?? {}).filter(([key]) => !CATALOGUE_KEYS.has(key));
  const merged = mergeData(Object.fromEntries(endpointSettings), Object.fromEntries(own));
  const durations = DURATION_KEYS.flatMap((key) => {
    const value = record.models[model]?.[key] ?? record.settings[key];
    // 0 stands for no limit, which is no duration.
    return value === undefined || value === 0
      ? []
      : [[key, parseDuration(value, `providers.${name}.${key}`)] as const];
  });
  return { ...(isSettingsData(merged) ? merged : {}), ...Object.fromEntries(durations) };
}
