import { createEndpoints } from "./endpoints/endpoints.js";
import type { EnvHost } from "./env-host.js";
import type { EnvParts } from "./env-state.js";
import { createCatalogue } from "./models/catalogue.js";
import type { ToolIsolation } from "./tools/isolation/tool-isolation.js";
import { createToolRegistry } from "./tools/tool-registry.js";

/** Makes the parts of one Env and ties them together. */
export function createParts(
  host: EnvHost,
  isolation: (readOnlyProcess: ToolIsolation) => ToolIsolation,
): EnvParts {
  const endpoints = createEndpoints(host);
  const catalogue = createCatalogue(host, endpoints);
  const tools = createToolRegistry(host, { providerTools: catalogue.providerTools, isolation });
  return { endpoints, catalogue, tools };
}
