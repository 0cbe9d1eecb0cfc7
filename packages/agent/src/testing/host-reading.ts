import type { ToolDescription } from "@ashlar/context/tool";
import { type Diagnostic, Env, type ToolValidation } from "@ashlar/env";
import type { DescribedEntry } from "./pack-message.js";
import { makePlayground } from "./playground.js";

/** What a host makes of descriptions. */
export interface HostReading {
  readonly diagnostics: readonly Diagnostic[];
  readonly has: (tool: string) => boolean;
  readonly validate: (tool: string, args: unknown) => ToolValidation;
}

/** Gives the descriptions to an Env of their own for as long as `work` takes. */
export async function withHost(
  entries: readonly DescribedEntry[],
  work: (host: HostReading) => void,
): Promise<void> {
  const playground = await makePlayground({});
  const tools = entries.map((entry) => ({ [entry.name]: hostDescription(entry) }));
  const env = await Env.open(playground.agentFolder, { layers: [], collect: false, environment: {}, tools });
  try {
    work({
      diagnostics: env.diagnostics.filter(({ kind }) => kind === "tool"),
      has: (tool) => env.tools().has(tool),
      validate: (tool, args) => env.toolValidate(tool, args),
    });
  } finally {
    await env.close();
    await playground.remove();
  }
}

/** The entry as it was, with other functions: nothing of the package runs here. */
export function hostDescription({ data, functions }: DescribedEntry): ToolDescription {
  const standIns = Object.fromEntries(functions.map((name) => [name, () => false]));
  const described: Readonly<Record<string, unknown>> = { ...data, ...standIns, fn: () => "" };
  // A stranger's data, which the host is there to judge.
  return described as Readonly<Record<string, unknown>> & ToolDescription;
}
