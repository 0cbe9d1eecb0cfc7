import type { ModelMetadata, ProviderMetadata } from "@ashlar/context/provider";
import { isSettingsData, type SettingsData } from "../settings/settings-data.js";

/** What settings may say of a model, each with the shape it must have to count. */
const SETTABLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  label: isText,
  contextWindow: isCount,
  maxContextWindow: isCount,
  maxTokens: isCount,
  thinking: isTextList,
  thinkingDefault: isText,
  input: isTextList,
  // A map opts the provider's own tools in or out, which is another matter.
  tools: (value) => typeof value === "boolean",
  secret: (value) => typeof value === "boolean",
  price: (value) => isSettingsData(value) && isPrice(value.input) && isPrice(value.output),
};

export interface MetadataSources {
  readonly provider: ProviderMetadata | undefined;
  /** As the server lists the model. */
  readonly listed: ModelMetadata | undefined;
  /** The endpoint's record. */
  readonly endpoint: SettingsData;
  /** The model's record inside it. */
  readonly model: SettingsData;
}

/** What is known of one model, weakest first: the provider, the server's list, the settings. */
export function mergedMetadata({ provider, listed, endpoint, model }: MetadataSources): ModelMetadata {
  const { contextWindow } = endpoint;
  return {
    ...(provider === undefined ? {} : fromProvider(provider)),
    ...wellShaped(listed ?? {}),
    ...settable({ contextWindow }),
    ...settable(model),
  };
}

function fromProvider({ capabilities }: ProviderMetadata): ModelMetadata {
  const { thinking, thinkingDefault, tools } = capabilities;
  return { thinking, ...(thinkingDefault === undefined ? {} : { thinkingDefault }), tools: tools !== false };
}

/** A server's list may hold more than the contract names; that goes through. */
function wellShaped(fields: object): ModelMetadata {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => SETTABLE[key]?.(value) !== false),
  );
}

function settable(fields: object): ModelMetadata {
  const entries = Object.entries(fields).filter(([key, value]) => SETTABLE[key]?.(value) === true);
  // Each entry was checked against the shape that ModelMetadata gives its key.
  return Object.fromEntries(entries) as ModelMetadata;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function isPrice(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
