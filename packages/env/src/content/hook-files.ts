import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, problemOf } from "./content-file.js";
import type { ContentRoot } from "./skill.js";

/**
 * Absolute paths of the hook modules (`.js`, `.mjs`) of the trusted roots: in the order of the roots, sorted in each.
 * `leftOut` is told of a folder that cannot be read.
 */
export async function hookFiles(
  roots: readonly ContentRoot[],
  leftOut: (message: string, file: string) => void,
): Promise<readonly string[]> {
  const folders = roots.filter(({ trusted }) => trusted).flatMap(({ hooks }) => hooks);
  const files = await Promise.all([...new Set(folders)].map((folder) => modulesOf(folder, leftOut)));
  return files.flat();
}

async function modulesOf(
  folder: string,
  leftOut: (message: string, file: string) => void,
): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.m?js$/.test(entry.name))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch (error) {
    if (!isMissing(error)) leftOut(`${folder}: ${problemOf(error)}. Its hooks are left out.`, folder);
    return [];
  }
}
