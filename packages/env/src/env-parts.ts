import { Content } from "./content/content.js";
import { contentRoots, type RootFacts } from "./content/content-roots.js";
import { createEndpoints } from "./endpoints/endpoints.js";
import type { EnvHost } from "./env-host.js";
import type { EnvParts } from "./env-state.js";
import { createCatalogue } from "./models/catalogue.js";
import { userHome } from "./settings/user-folders.js";
import type { ToolIsolation } from "./tools/isolation/tool-isolation.js";
import { createToolRegistry } from "./tools/tool-registry.js";

/** Makes the parts of one Env and ties them together. */
export function createParts(
  host: EnvHost,
  isolation: (readOnlyProcess: ToolIsolation) => ToolIsolation,
): EnvParts {
  const endpoints = createEndpoints(host);
  const catalogue = createCatalogue(host, endpoints);
  const content = new Content({ roots: () => contentRoots(rootFacts(host)), diagnose: host.diagnose });
  const tools = createToolRegistry(host, {
    providerTools: catalogue.providerTools,
    knownSkills: () => content.known,
    isolation,
  });
  return { endpoints, catalogue, tools, content };
}

function rootFacts({ cwd, options, environment, folders, settings, ...host }: EnvHost): RootFacts {
  return {
    cwd,
    host: options.content ?? [],
    packages: host.packages(),
    config: folders.config,
    home: userHome(environment),
    // ASHLAR_HOME moves everything of the user's; what lies elsewhere is then somebody else's.
    sharedHome: environment.ASHLAR_HOME === undefined,
    hasLayer: host.hasLayer,
    layersOf: settings.layersOf,
  };
}
