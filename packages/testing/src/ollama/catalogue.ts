import { createHash } from "node:crypto";
import { DEFAULT_CAPABILITIES, DEFAULT_CONTEXT_LENGTH, type ModelFacts } from "../model-facts.js";

const MODIFIED_AT = "2026-01-01T00:00:00Z";
const EXPIRES_AT = "2036-01-01T00:00:00Z";
const SIZE_BYTES = 4_000_000_000;
const DEFAULT_NUM_CTX = 4096;

export type Catalogue = ReadonlyMap<string, ModelFacts>;

/** `/api/tags`. */
export function tagsBody(catalogue: Catalogue): unknown {
  return {
    models: [...catalogue].map(([name, facts]) => ({
      ...listed(name, facts),
      modified_at: MODIFIED_AT,
      details: details(facts),
    })),
  };
}

/** `/api/show` of one model. */
export function showBody(facts: ModelFacts): unknown {
  return {
    details: details(facts),
    model_info: {
      "general.architecture": "fake",
      "fake.context_length": facts.contextLength ?? DEFAULT_CONTEXT_LENGTH,
    },
    capabilities: facts.capabilities ?? DEFAULT_CAPABILITIES,
    modified_at: MODIFIED_AT,
    ...(facts.thinking && { thinking: facts.thinking }),
  };
}

/** `/api/ps`: what is loaded, with the context length it was given. */
export function psBody(loaded: ReadonlyMap<string, number>, catalogue: Catalogue): unknown {
  return {
    models: [...loaded].map(([name, context_length]) => ({
      ...listed(name, catalogue.get(name) ?? {}),
      size_vram: SIZE_BYTES,
      expires_at: EXPIRES_AT,
      context_length,
    })),
  };
}

/** What the server would give a model that asks for `numCtx`. */
export function allocated(facts: ModelFacts, numCtx: unknown): number {
  const wanted = typeof numCtx === "number" ? numCtx : DEFAULT_NUM_CTX;
  return Math.min(
    wanted,
    facts.contextLength ?? DEFAULT_CONTEXT_LENGTH,
    facts.allocates ?? Number.POSITIVE_INFINITY,
  );
}

function listed(name: string, facts: ModelFacts): object {
  const tagged = name.includes(":") ? name : `${name}:latest`;
  return { name: tagged, model: tagged, size: SIZE_BYTES, digest: digestOf(name, facts) };
}

function details(facts: ModelFacts): object {
  return {
    format: "gguf",
    family: "fake",
    families: ["fake"],
    parameter_size: "1B",
    quantization_level: "Q4_0",
    context_length: facts.contextLength ?? DEFAULT_CONTEXT_LENGTH,
  };
}

/** Models with one name and the same facts have the same digest. */
function digestOf(name: string, facts: ModelFacts): string {
  return createHash("sha256")
    .update(JSON.stringify([name, facts]))
    .digest("hex");
}
