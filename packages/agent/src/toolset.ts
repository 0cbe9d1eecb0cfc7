import type { ToolDescriptor } from "@ashlar/context/provider";
import type { Env, ToolInfo } from "@ashlar/env";

/** Which tools of an Env an agent may use. */
export interface Toolset {
  readonly env: Env;
  /** `*` is all; absent too. */
  readonly names: readonly string[] | undefined;
  /** The model whose provider's tools count; absent for a model that the Env does not know. */
  readonly selector: string | undefined;
}

/** What a model is told of them. */
export function toolDescriptors({ env, names, selector }: Toolset): readonly ToolDescriptor[] {
  return env.toolDescriptors(names?.includes("*") === true ? undefined : names, selector);
}

/** What is known of those that a model is told of, by name. */
export function toolInfos(toolset: Toolset): ReadonlyMap<string, ToolInfo> {
  const offered = new Set(toolDescriptors(toolset).map(({ name }) => name));
  return new Map([...toolset.env.tools(false, toolset.selector)].filter(([name]) => offered.has(name)));
}
