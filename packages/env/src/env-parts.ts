import { createEndpoints } from "./endpoints/endpoints.js";
import type { EnvHost } from "./env-host.js";
import type { EnvParts } from "./env-state.js";
import { createCatalogue } from "./models/catalogue.js";
import { createToolRegistry } from "./tools/tool-registry.js";

/** Makes the parts of one Env and ties them together. */
export function createParts(host: EnvHost): EnvParts {
  const endpoints = createEndpoints(host);
  const catalogue = createCatalogue(host, endpoints);
  const tools = createToolRegistry(host, { providerTools: catalogue.providerTools });
  return { endpoints, catalogue, tools };
}
