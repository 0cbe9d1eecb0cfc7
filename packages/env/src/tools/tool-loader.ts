import { isAbsolute } from "node:path";
import type { ToolDescriptions, ToolEnv } from "@ashlar/context/tool";
import type { InstalledPackage } from "../packages/installed-package.js";
import { isolatedSources, packageToolFiles } from "./isolated-tools.js";
import type { ToolIsolation } from "./isolation/tool-isolation.js";
import type { ToolSource } from "./tool-entry.js";
import { importToolModule, toolFiles } from "./tool-folder.js";
import { sourceOfDescriptions } from "./tool-module.js";

export interface LoadRequest {
  /** The host's own; they run in this process. */
  readonly roots: readonly (string | ToolDescriptions)[];
  readonly packages: readonly InstalledPackage[];
  /** Folders that the settings name. */
  readonly folders: readonly string[];
  readonly revision: number;
  readonly env: ToolEnv;
  readonly isolation: ToolIsolation;
  readonly isolatedSettings: () => Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What this part gave last time; it stays when it fails now. */
  readonly earlier: (label: string) => readonly ToolSource[];
  readonly diagnose: (message: string, file?: string) => void;
}

/** What one module, package or folder gave, under the name it is remembered by. */
export interface Loaded {
  readonly label: string;
  readonly sources: readonly ToolSource[];
}

/** Loads everything at the same time; the result keeps the order: roots, packages, folders. Never rejects. */
export async function loadTools(request: LoadRequest): Promise<readonly Loaded[]> {
  const roots = request.roots.map((root, index) => loadRoot(root, index, request));
  const packages = request.packages.map((pack) =>
    loadIsolated(`package ${pack.name}`, pack.name, request, () => packageToolFiles(pack)),
  );
  const folders = request.folders.map((folder) =>
    loadIsolated(`tool folder ${folder}`, folder, request, () => toolFiles(absolute(folder))),
  );
  return (await Promise.all([...roots, ...packages, ...folders])).flat();
}

async function loadRoot(
  root: string | ToolDescriptions,
  index: number,
  request: LoadRequest,
): Promise<readonly Loaded[]> {
  if (typeof root !== "string") {
    const label = `tools[${index}] of the host`;
    return [await attempt(label, request, async () => [sourceOfDescriptions(root, label)])];
  }
  try {
    const files = await toolFiles(absolute(root));
    return await Promise.all(files.map((file) => loadFile(file, root, request)));
  } catch (cause) {
    request.diagnose(`Tool folder ${root} is left out: ${reason(cause)}.`, root);
    return [];
  }
}

function loadFile(file: string, root: string, request: LoadRequest): Promise<Loaded> {
  const { env, revision } = request;
  return attempt(file, request, async () => [await importToolModule(file, { owner: root, env, revision })]);
}

function loadIsolated(
  label: string,
  owner: string,
  request: LoadRequest,
  files: () => Promise<readonly string[]>,
): Promise<Loaded> {
  const { isolation, isolatedSettings, signal, env } = request;
  const options = { owner, isolation, env, settings: isolatedSettings, signal };
  return attempt(label, request, async () => isolatedSources(await files(), options));
}

async function attempt(
  label: string,
  request: LoadRequest,
  load: () => Promise<readonly ToolSource[]>,
): Promise<Loaded> {
  const earlier = request.earlier(label);
  const kept = earlier.length === 0 ? "" : " The earlier version stays.";
  try {
    const sources = await load();
    for (const source of sources) reportProblems(source, request);
    const before = ({ failed, label: name }: ToolSource) =>
      failed === true ? earlier.find((source) => source.label === name) : undefined;
    return { label, sources: sources.map((source) => before(source) ?? source) };
  } catch (cause) {
    request.diagnose(`${label} gives no tools: ${reason(cause)}.${kept}`, fileOf(label));
    return { label, sources: earlier };
  }
}

function reportProblems({ label, problems }: ToolSource, { diagnose }: LoadRequest): void {
  for (const problem of problems) diagnose(`${label}: ${problem}`, fileOf(label));
}

function fileOf(label: string): string | undefined {
  return isAbsolute(label) ? label : undefined;
}

function absolute(folder: string): string {
  if (isAbsolute(folder)) return folder;
  throw new Error("it must be an absolute path");
}

function reason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
}
