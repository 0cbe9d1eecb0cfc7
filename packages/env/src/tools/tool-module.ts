import type { ToolEnv, ToolFunction } from "@ashlar/context/tool";
import { isObject, own } from "./schema/plain-object.js";
import { decodeDescription } from "./tool-description.js";
import type { ToolEntry, ToolSource } from "./tool-entry.js";
import type { ToolInfo } from "./tool-info.js";
import { decodeSettings } from "./tool-settings.js";

export interface ModuleSource {
  /** Absolute path of the module, or undefined for descriptions made in code. */
  readonly file?: string;
  readonly owner: string;
}

/** The tools of a host's module, from its exports. Throws what the module's own functions throw. */
export function sourceOfModule(exports: object, source: ModuleSource, env: ToolEnv): ToolSource {
  // A module namespace: its members are told by name only.
  const members = exports as Readonly<Record<string, unknown>>;
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
  // It was accepted as a description; only its functions are still unchecked.
  const { fn, readOnly, writes, onTimeout, supplement } = description as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries({ fn, readOnly, writes, onTimeout, supplement })) {
    if (value !== undefined && typeof value !== "function") return `${key} must be a function`;
  }
  const run = typeof exported === "function" ? exported : fn;
  if (run === undefined) {
    return source.file === undefined
      ? "it has no fn"
      : `the module exports no function ${name} and the entry has no fn`;
  }
  // Functions, checked above; the schema stands for the type of their arguments.
  const functions = { run, readOnly, writes, onTimeout, supplement } as {
    readonly run: ToolFunction<unknown>;
    readonly readOnly: ToolInfo["readOnly"];
    readonly writes: ToolInfo["writes"];
    readonly onTimeout: ToolInfo["onTimeout"];
    readonly supplement: ToolInfo["supplement"];
  };
  return {
    info: {
      ...tool,
      hostRoot: true,
      owner: source.owner,
      ...(source.file === undefined ? {} : { file: source.file }),
      ...(functions.readOnly === undefined ? {} : { readOnly: functions.readOnly }),
      ...(functions.writes === undefined ? {} : { writes: functions.writes }),
      ...(functions.onTimeout === undefined ? {} : { onTimeout: functions.onTimeout }),
      ...(functions.supplement === undefined ? {} : { supplement: functions.supplement }),
    },
    run: async (args, context) => functions.run(args, context),
  };
}
