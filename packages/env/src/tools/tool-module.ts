import type { ToolDescription, ToolEnv } from "@ashlar/context/tool";
import { isObject, own } from "./schema/plain-object.js";
import { decodeDescription } from "./tool-description.js";
import { callable, type ToolEntry, type ToolSource } from "./tool-entry.js";
import { decodeSettings } from "./tool-settings.js";

export interface ModuleSource {
  /** Absolute path of the module, or undefined for descriptions made in code. */
  readonly file?: string;
  readonly owner: string;
}

/** The tools of a host's module, from its exports. Throws what the module's own functions throw. */
export function sourceOfModule(exports: object, source: ModuleSource, env: ToolEnv): ToolSource {
  const members = exports as Readonly<Record<string, unknown>>; // a module namespace, read by name below
  const describe = members.toolDescription ?? members.describe;
  const described: unknown = typeof describe === "function" ? describe(env) : {};
  const label = source.file ?? source.owner;
  if (!isObject(described))
    throw new TypeError("toolDescription(env) must return an object of descriptions by tool name");
  const settings =
    typeof members.settingsSchema === "function" ? decodeSettings(members.settingsSchema()) : {};
  return { label, settings, ...entriesOf(described, source, (name) => own(members, name)) };
}

/** The tools a host describes in code; each needs its `fn`. */
export function sourceOfDescriptions(
  described: Readonly<Record<string, unknown>>,
  owner: string,
): ToolSource {
  return { label: owner, settings: {}, ...entriesOf(described, { owner }, () => undefined) };
}

function entriesOf(
  described: Readonly<Record<string, unknown>>,
  source: ModuleSource,
  exported: (name: string) => unknown,
): Pick<ToolSource, "entries" | "problems"> {
  const entries: ToolEntry[] = [];
  const problems: string[] = [];
  for (const [name, description] of Object.entries(described)) {
    const entry = entryOf({ name, description, source, exported: exported(name) });
    if (typeof entry === "string") problems.push(`tool ${JSON.stringify(name)} is left out: ${entry}`);
    else entries.push(entry);
  }
  return { entries, problems };
}

interface EntryParts {
  readonly name: string;
  readonly description: unknown;
  readonly source: ModuleSource;
  readonly exported: unknown;
}

function entryOf({ name, description, source, exported }: EntryParts): ToolEntry | string {
  const tool = decodeDescription(name, description);
  if (typeof tool === "string") return tool;
  // `decodeDescription` accepted it; only its functions are still unchecked.
  const { fn, readOnly, onTimeout } = description as Partial<ToolDescription>;
  const run = typeof exported === "function" ? exported : fn;
  if (typeof run !== "function") {
    return source.file === undefined
      ? "it has no fn"
      : `the module exports no function ${name} and the entry has no fn`;
  }
  for (const [key, value] of Object.entries({ readOnly, onTimeout })) {
    if (value !== undefined && typeof value !== "function") return `${key} must be a function`;
  }
  return {
    info: {
      ...tool,
      hostRoot: true,
      owner: source.owner,
      ...(source.file === undefined ? {} : { file: source.file }),
      // The schema stands for the argument type of both.
      ...(readOnly === undefined ? {} : { readOnly: readOnly as (args: unknown) => boolean }),
      // See above.
      ...(onTimeout === undefined
        ? {}
        : { onTimeout: onTimeout as NonNullable<ToolEntry["info"]["onTimeout"]> }),
    },
    run: callable(run as NonNullable<ToolDescription["fn"]>), // a function, checked above
  };
}
