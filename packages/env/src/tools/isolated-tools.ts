import { join } from "node:path";
import { TOOL_CONTRACT, type ToolEnv } from "@ashlar/context/tool";
import type { InstalledPackage } from "../packages/installed-package.js";
import type { DescribedModule, ToolIsolation } from "./isolation/tool-isolation.js";
import { isObject } from "./schema/plain-object.js";
import { decodeDescription } from "./tool-description.js";
import type { ToolEntry, ToolSource } from "./tool-entry.js";
import { toolFiles } from "./tool-folder.js";
import { decodeSettings } from "./tool-settings.js";

/** A package keeps its tool modules in one of these folders; the first that holds modules counts. */
const FOLDERS = ["tools", "dist/tools"] as const;

/** Absolute paths of the tool modules of a package. Throws the reason when it has none that can be used. */
export async function packageToolFiles(pack: InstalledPackage): Promise<readonly string[]> {
  const contract = pack.contract.tools;
  if (contract !== TOOL_CONTRACT) {
    throw new Error(
      `it declares tool contract ${contract ?? "none"}; this version works with ${TOOL_CONTRACT}`,
    );
  }
  for (const name of FOLDERS) {
    const files = await toolFiles(join(pack.folder, name)).catch(absent);
    if (files.length > 0) return files;
  }
  throw new Error(`it has no module (.js or .mjs) in ${FOLDERS.join(" or ")}`);
}

function absent(cause: unknown): readonly string[] {
  if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
    return [];
  throw cause;
}

export interface IsolationOptions {
  readonly owner: string;
  readonly isolation: ToolIsolation;
  readonly env: ToolEnv;
  /** The settings without credentials. */
  readonly settings: () => Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Describes modules that may not run in this process. Rejects with the reason when none of them can be used. */
export async function isolatedSources(
  files: readonly string[],
  options: IsolationOptions,
): Promise<readonly ToolSource[]> {
  if (files.length === 0) return [];
  const { isolation, env, settings, signal } = options;
  const described = await isolation.describe({ files, cwd: env.cwd, settings: settings(), signal });
  return described.map((module) => sourceOf(module, options));
}

function sourceOf(module: DescribedModule, options: IsolationOptions): ToolSource {
  const { file, failure } = module;
  if (failure !== undefined)
    return { label: file, entries: [], settings: {}, problems: [failure], failed: true };
  const problems = [...module.problems];
  const entries: ToolEntry[] = [];
  for (const tool of module.tools) {
    const entry = entryOf(tool, file, options);
    if (typeof entry === "string") problems.push(entry);
    else entries.push(entry);
  }
  return { label: file, entries, settings: decodeSettings(module.settings), problems };
}

function entryOf(
  tool: unknown,
  file: string,
  { owner, isolation, settings }: IsolationOptions,
): ToolEntry | string {
  const name = isObject(tool) && typeof tool.name === "string" ? tool.name : "";
  const described = decodeDescription(name, isObject(tool) ? { ...tool, inputSchema: tool.schema } : tool);
  if (typeof described === "string") return `tool ${JSON.stringify(name)} is left out: ${described}`;
  return {
    info: { ...described, trusted: false, hostRoot: false, owner, file },
    run: (args, context) => isolation.call({ file, name, args, context, settings: settings() }),
  };
}
