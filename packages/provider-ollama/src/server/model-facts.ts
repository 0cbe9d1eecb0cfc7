import { countOf, isRecord, listOf, recordOf, textOf, type UnknownRecord } from "../record.js";

/** What a server says of a model. Undefined: it did not say, and nobody may guess. */
export interface ModelFacts {
  /** Maximum context length in tokens. */
  readonly contextLength: number | undefined;
  readonly capabilities: readonly string[] | undefined;
  /** Native thinking modes, least to most, `off` for false and `on` for true; empty: none to choose. */
  readonly thinking: readonly string[] | undefined;
}

/** Reads `/api/show`. */
export function factsOfShow(answer: unknown): ModelFacts {
  const show = recordOf(answer);
  const info = recordOf(show.model_info);
  const capabilities = capabilitiesOf(show.capabilities);
  return {
    contextLength: maximumOf(info) ?? countOf(recordOf(show.details).context_length),
    capabilities,
    thinking: thinkingModes(show.thinking, capabilities, architectureOf(info, show)),
  };
}

/** Reads an entry of `/api/tags`, which newer servers fill with the facts; undefined where `/api/show` has to be asked. */
export function factsOfTag(entry: UnknownRecord): ModelFacts | undefined {
  const capabilities = capabilitiesOf(entry.capabilities);
  const contextLength = countOf(recordOf(entry.details).context_length);
  if (capabilities === undefined || contextLength === undefined) return undefined;
  // The values of `think` stand in `/api/show` only.
  return capabilities.includes("thinking") ? undefined : { capabilities, contextLength, thinking: [] };
}

function capabilitiesOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined;
}

function maximumOf(info: UnknownRecord): number | undefined {
  const architecture = textOf(info["general.architecture"]);
  const named = architecture === undefined ? undefined : countOf(info[`${architecture}.context_length`]);
  const [, any] = Object.entries(info).find(([key]) => key.endsWith(".context_length")) ?? [];
  return named ?? countOf(any);
}

function architectureOf(info: UnknownRecord, show: UnknownRecord): string {
  return textOf(info["general.architecture"]) ?? textOf(recordOf(show.details).family) ?? "";
}

const LEVELS = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** From the values that the server publishes; on older servers from the capability and the one family that takes levels only. */
function thinkingModes(
  published: unknown,
  capabilities: readonly string[] | undefined,
  architecture: string,
): readonly string[] | undefined {
  if (isRecord(published) && Array.isArray(published.values)) return ordered(published.values);
  if (capabilities === undefined) return undefined;
  if (!capabilities.includes("thinking")) return [];
  return /^gpt-?oss/.test(architecture) ? ["low", "medium", "high"] : ["off", "on"];
}

function ordered(values: readonly unknown[]): readonly string[] {
  const texts = listOf(values).filter((value) => typeof value === "string");
  const modes = [
    ...(values.includes(false) ? ["off"] : []),
    ...(values.includes(true) ? ["on"] : []),
    ...texts.filter((text) => !LEVELS.includes(text)),
    ...LEVELS.filter((level) => texts.includes(level)),
  ];
  // A model that can only be off has nothing to choose.
  return modes.length === 1 && modes[0] === "off" ? [] : modes;
}
