import type { ModelMetadata, ProviderTool } from "@ashlar/context/provider";
import type { Endpoint } from "../endpoints/endpoint.js";
import { isSettingsData, type SettingsData } from "../settings/settings-data.js";
import type { ModelInfo } from "./model-info.js";
import { mergedMetadata } from "./model-metadata.js";

export interface EndpointModels {
  readonly endpoint: Endpoint;
  readonly loginRequired: boolean;
  /** The server's list, from now or from an earlier start. */
  readonly listing: Readonly<Record<string, ModelMetadata>> | undefined;
  /** Models used lately that may stand in no list. */
  readonly recent: readonly string[];
  readonly lastUsed: (pair: string) => string | null;
  readonly projectLastUsed: (pair: string) => string | null;
  /** `providers.tools`: what counts for every endpoint. */
  readonly toolSwitches: unknown;
}

/** Every pair of one endpoint: the server's models in its order, then those of the settings, then those used lately. */
export function buildModels(input: EndpointModels): readonly ModelInfo[] {
  const { record } = input.endpoint;
  const configured = record.model === undefined ? [] : [record.model];
  const published = new Set([
    ...Object.keys(input.listing ?? {}),
    ...Object.keys(record.models),
    ...configured,
  ]);
  const unlisted = input.listing === undefined ? input.recent : [];
  return [...new Set([...published, ...unlisted])].map((model) =>
    modelInfo(model, published.has(model), input),
  );
}

function modelInfo(model: string, listed: boolean, input: EndpointModels): ModelInfo {
  const { endpoint, loginRequired, listing, lastUsed, projectLastUsed, toolSwitches } = input;
  const { name, Provider, record } = endpoint;
  const own = record.models[model] ?? {};
  const metadata = metadataOf(endpoint, model, listing?.[model]);
  const pair = `${name}/${model}`;
  return {
    endpoint: name,
    model,
    label: metadata.label ?? model,
    listed,
    disabled: record.disabled || own.disabled === true,
    secret: endpoint.secret || metadata.secret === true || record.filter?.test(model) === false,
    loginRequired,
    lastUsed: lastUsed(pair),
    projectLastUsed: projectLastUsed(pair),
    caps: {
      contextWindow: contextWindow(record.settings, own, metadata),
      thinking: metadata.thinking ?? [],
      tools: Object.keys(providerTools(endpoint, model, toolSwitches)),
      streaming: Provider?.provider.capabilities.streaming ?? true,
      ...(metadata.input === undefined ? {} : { input: metadata.input }),
    },
  };
}

/** What a connection to the model says of it. */
export function metadataOf(
  endpoint: Endpoint,
  model: string,
  listed: ModelMetadata | undefined,
): ModelMetadata {
  const { Provider, record } = endpoint;
  return mergedMetadata({
    provider: Provider?.provider,
    listed,
    endpoint: record.settings,
    model: record.models[model] ?? {},
  });
}

/** A window in the settings wins; otherwise the larger of the two that the server names. */
function contextWindow(endpoint: SettingsData, own: SettingsData, metadata: ModelMetadata): number | null {
  const set = own.contextWindow ?? endpoint.contextWindow;
  if (set !== undefined && set === metadata.contextWindow) return metadata.contextWindow ?? null;
  const named = [metadata.contextWindow, metadata.maxContextWindow].filter((window) => window !== undefined);
  return named.length === 0 ? null : Math.max(...named);
}

/** The provider's own tools less those that are opted out; the first switch that says something counts. */
export function providerTools(
  { Provider, record }: Endpoint,
  model: string,
  toolSwitches: unknown,
): Readonly<Record<string, ProviderTool>> {
  const tools = Provider?.provider.capabilities.tools;
  if (typeof tools !== "object") return {};
  const switches = [record.models[model]?.tools, record.settings.tools, toolSwitches];
  const allowed = Object.entries(tools).filter(([name]) => {
    const words = switches.map((one) =>
      isSettingsData(one) && Object.hasOwn(one, name) ? one[name] : undefined,
    );
    return words.find((word) => typeof word === "boolean") ?? true;
  });
  return Object.fromEntries(allowed);
}
