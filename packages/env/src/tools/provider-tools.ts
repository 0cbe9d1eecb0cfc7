import type { ProviderTool } from "@ashlar/context/provider";
import { schemaProblem } from "./schema/schema-problem.js";
import type { ToolInfo } from "./tool-info.js";

/** The tools that the provider of one model brings, those that are opted out left out. */
export interface ProviderTools {
  readonly endpoint: string;
  readonly tools: Readonly<Record<string, ProviderTool>>;
}

/**
 * A provider's tool as the catalogue shows it. What it does not say itself is taken from the tool of the same name that
 * it stands in for. A string says why it is left out.
 */
export function providerToolInfo(
  name: string,
  tool: ProviderTool,
  { endpoint, replaced }: { readonly endpoint: string; readonly replaced: ToolInfo | undefined },
): ToolInfo | string {
  const schema = tool.inputSchema ?? replaced?.schema ?? { type: "object" };
  const problem = schemaProblem(schema);
  if (problem !== undefined) return problem;
  return {
    name,
    description: tool.description ?? replaced?.description ?? `The ${name} tool of ${endpoint}.`,
    schema: { type: "object", ...schema },
    // It runs at the provider and cannot touch this machine.
    safe: true,
    trusted: true,
    sandbox: false,
    secret: false,
    interactive: false,
    replay: "never",
    hostRoot: true,
    provider: endpoint,
    owner: endpoint,
  };
}
