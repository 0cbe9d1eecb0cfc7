import type { EnvHost } from "./env-host.js";
import type { EnvParts } from "./env-state.js";
import { createToolRegistry } from "./tools/tool-registry.js";

/** Makes the parts of one Env and ties them together. */
export function createParts(host: EnvHost): EnvParts {
  return {
    endpoints: {
      endpoints: () => new Map(),
      login: async () => {
        throw new Error("later");
      },
      logout: async () => {
        throw new Error("later");
      },
      close: async () => {},
    },
    catalogue: {
      models: () => new Map(),
      modelsReady: Promise.resolve(),
      connection: () => {
        throw new Error("later");
      },
      close: async () => {},
    },
    tools: createToolRegistry(host),
  };
}
