import type { Dirent } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ContentFileProblem, codeOf, problemOf, readContentFile } from "./content-file.js";
import type { SkillResource } from "./skill.js";

/** Bytes of one resource. */
export const MAX_RESOURCE_BYTES = 16 * 1024 * 1024;
const MAX_RESOURCES = 2_000;
const MAX_DEPTH = 8;
const SKILL = "skill.md";

/**
 * The files beside the SKILL.md of each of these folders, weakest first: of a path that several have, the last counts.
 * No links, no hidden files, no credentials, at most 2,000.
 */
export async function listResources(folders: readonly string[]): Promise<readonly SkillResource[]> {
  const found = new Map<string, SkillResource>();
  for (const folder of folders) for (const one of await filesBelow(folder)) found.set(one.path, one);
  return [...found.values()]
    .sort(({ path: one }, { path: other }) => (one < other ? -1 : 1))
    .slice(0, MAX_RESOURCES);
}

/** The bytes of the last of these folders that has the path; undefined when none has. Throws a `ContentFileProblem`. */
export async function readResource(
  folders: readonly string[],
  path: string,
): Promise<Uint8Array | undefined> {
  for (const folder of folders.toReversed()) {
    const file = await plainFile(folder, path);
    if (file !== undefined) return readContentFile(file, MAX_RESOURCE_BYTES);
  }
  return undefined;
}

/** Why a path can name no resource: the rest of a sentence. */
export function resourcePathProblem(path: string): string | undefined {
  if (path === "" || path.length > 1_024 || path.includes("\0")) return "is no path of a file";
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part.startsWith(".") || part.includes("\\")))
    return "is no plain path below the skill's folder, such as references/table.md";
  if (/^ai-auth-/i.test(parts.at(-1) ?? "")) return "holds credentials by its name";
  return path.toLowerCase() === SKILL ? "is the skill itself" : undefined;
}

async function filesBelow(folder: string): Promise<readonly SkillResource[]> {
  const files: SkillResource[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(join(folder, path))) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (files.length >= MAX_RESOURCES) return;
      if (entry.name === "node_modules" || resourcePathProblem(inner) !== undefined) continue;
      if (entry.isDirectory() && depth < MAX_DEPTH) await visit(inner, depth + 1);
      const size = entry.isFile() ? await sizeOf(join(folder, inner)) : undefined;
      if (size !== undefined) files.push({ path: inner, size });
    }
  };
  await visit("", 1);
  return files;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  } catch {
    // What cannot be listed cannot be read either.
    return [];
  }
}

/** Undefined for a file that has gone since it was listed. */
async function sizeOf(file: string): Promise<number | undefined> {
  return lstat(file).then(
    ({ size }) => size,
    () => undefined, // Whatever hinders a look at it, it cannot be read.
  );
}

/** The file's real path; undefined when there is none, or one that is reached through a link. */
async function plainFile(folder: string, path: string): Promise<string | undefined> {
  try {
    const file = join(await realpath(folder), ...path.split("/"));
    return (await realpath(file)) === file ? file : undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ContentFileProblem(problemOf(error));
  }
}
