import type { Heard } from "./heard.js";
import type { RefusalReply } from "./reply.js";

/** What the catalogue says of a fake model. */
export interface ModelFacts {
  /** Default `completion` and `tools`. */
  readonly capabilities?: readonly string[];
  /** Maximum context length in tokens. Default 131,072. */
  readonly contextLength?: number;
  /** Context length the server really allocates, whatever was asked. */
  readonly allocates?: number;
  /** Values that `think` accepts, as newer servers publish them. */
  readonly thinking?: { readonly values: readonly (string | boolean)[]; readonly default: string | boolean };
}

export const DEFAULT_CONTEXT_LENGTH = 131_072;
export const DEFAULT_CAPABILITIES: readonly string[] = ["completion", "tools"];

/** The refusal of a request that asks a model for what it cannot do. */
export function refuseIncapable({ model, tools, body }: Heard, facts: ModelFacts): RefusalReply | undefined {
  const capabilities = facts.capabilities ?? DEFAULT_CAPABILITIES;
  if (tools.length > 0 && !capabilities.includes("tools")) {
    return { status: 400, error: `registry.ollama.ai/library/${model}:latest does not support tools` };
  }
  const { think } = body;
  if (think !== undefined && think !== null && think !== false && !capabilities.includes("thinking")) {
    return { status: 400, error: `"${model}" does not support thinking` };
  }
  return undefined;
}
