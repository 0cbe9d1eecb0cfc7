import type { ToolDescriptor } from "@ashlar/context/provider";
import { type ProviderTools, providerToolInfo } from "./provider-tools.js";
import { standingRefusal } from "./tool-call-rule.js";
import type { ToolEntry, ToolSource } from "./tool-entry.js";
import type { ToolInfo } from "./tool-info.js";

export interface Catalogue {
  /** By name, in the order of the names. */
  readonly entries: ReadonlyMap<string, ToolEntry>;
  /** One sentence for each tool that another source has already. */
  readonly duplicates: readonly { readonly label: string; readonly message: string }[];
}

/** Joins sources, the most trusted first. A name belongs to the first that brings it; a second is refused, by name. */
export function joinSources(sources: readonly ToolSource[]): Catalogue {
  const owners = new Map<string, { readonly entry: ToolEntry; readonly label: string }>();
  const duplicates: { readonly label: string; readonly message: string }[] = [];
  for (const { label, entries } of sources) {
    for (const entry of entries) {
      const { name } = entry.info;
      const earlier = owners.get(name);
      if (earlier === undefined) owners.set(name, { entry, label });
      else {
        const message = `tool ${JSON.stringify(name)} of ${label} is left out: ${earlier.label} has a tool of that name`;
        duplicates.push({ label, message });
      }
    }
  }
  const sorted = [...owners].sort(([left], [right]) => (left < right ? -1 : 1));
  return { entries: new Map(sorted.map(([name, { entry }]) => [name, entry])), duplicates };
}

export interface InfoOptions {
  readonly safe: boolean;
  readonly provider: ProviderTools | undefined;
}

/** All tools, secret ones too, the provider's in the place of those of the same name. */
export function toolInfos(catalogue: Catalogue, options: InfoOptions): ReadonlyMap<string, ToolInfo> {
  const infos = new Map<string, ToolInfo>();
  for (const [name, { info }] of catalogue.entries) {
    const refusal = standingRefusal(info);
    infos.set(name, refusal === undefined ? info : { ...info, refusal });
  }
  for (const { endpoint, name, tool } of providerEntries(options.provider)) {
    const info = providerToolInfo(name, tool, { endpoint, replaced: infos.get(name) });
    if (typeof info !== "string") infos.set(name, info);
  }
  const shown = [...infos].filter(([, info]) => !options.safe || info.safe);
  return new Map(shown.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function providerEntries(provider: ProviderTools | undefined) {
  if (provider === undefined) return [];
  return Object.entries(provider.tools).map(([name, tool]) => ({ endpoint: provider.endpoint, name, tool }));
}

/** What is published to a model: no secret tools, in the order of the names. */
export function descriptors(
  infos: ReadonlyMap<string, ToolInfo>,
  names: readonly string[] | undefined,
  describe: (info: ToolInfo) => string,
): readonly ToolDescriptor[] {
  const wanted = names === undefined ? undefined : new Set(names);
  return [...infos.values()]
    .filter(({ name, secret }) => !secret && (wanted === undefined || wanted.has(name)))
    .map((info) => ({ name: info.name, description: describe(info), inputSchema: info.schema }));
}
