import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ToolEnv } from "@ashlar/context/tool";

import type { ToolSource } from "./tool-entry.js";
import { whileImportingTool } from "./tool-import-scope.js";
import { sourceOfModule } from "./tool-module.js";

const IMPORT_TIMEOUT_MS = 10_000;

/** Absolute paths of the tool modules of a folder: its own `.js` and `.mjs` files, sorted. Sub-folders are private. */
export async function toolFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && /\.m?js$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
}

export interface ImportOptions {
  readonly owner: string;
  readonly env: ToolEnv;
  readonly revision: number;
  /** Default 10 s. */
  readonly timeoutMs?: number;
}

/** Imports a module of a host's root. Rejects with the module's failure, or when the import does not end in time. */
export async function importToolModule(file: string, options: ImportOptions): Promise<ToolSource> {
  const { owner, env, revision, timeoutMs = IMPORT_TIMEOUT_MS } = options;
  const url = `${pathToFileURL(file).href}?v=${revision}`;
  return whileImportingTool(file, async () => {
    const exports = await inTime(import(/* @vite-ignore */ url), timeoutMs);
    return sourceOfModule(exports, { file, owner }, env);
  });
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`its import did not end within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
