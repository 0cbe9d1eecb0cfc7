import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { inFolder, placeFile } from "./pinned-folder.js";

/** The largest file whose bytes are kept. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** What stands at a path now. */
export type FoundFile =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "large"; readonly size: number }
  /** A link, a folder, a pipe, …: nothing that is kept. */
  | { readonly kind: "other"; readonly name: string };

/** Where a path of a call leads: real but for what is not there yet. */
export interface ProjectPlace {
  readonly path: string;
  /** The first folder on the way that is not there. */
  readonly madeFolder: string | undefined;
}

/** Follows links as a tool would. Undefined for what leads out of the project. */
export async function projectPlace(
  project: string,
  folder: string,
  path: string,
): Promise<ProjectPlace | undefined> {
  const asked = resolve(folder, path);
  const { real, missing } = await nearestReal(asked);
  const place = missing.length === 0 ? real : join(real, ...missing);
  if (!place.startsWith(`${project}/`)) return undefined;
  return { path: place, madeFolder: missing.length > 1 ? join(real, missing[0] ?? "") : undefined };
}

/** The real path of the part that is there, and the names below it that are not. */
async function nearestReal(
  path: string,
): Promise<{ readonly real: string; readonly missing: readonly string[] }> {
  try {
    return { real: await realpath(path), missing: [] };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const above = await nearestReal(dirname(path));
    return { real: above.real, missing: [...above.missing, basename(path)] };
  }
}

/** Looks at a real path without following a link and without waiting at a pipe. */
export async function findFile(path: string): Promise<FoundFile> {
  try {
    return await inFolder(dirname(path), (base) => lookAt(`${base}/${basename(path)}`));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { kind: "missing" };
    if (codeOf(error) === "ELOOP" || codeOf(error) === "ENOTDIR")
      return { kind: "other", name: "below a link" };
    throw error;
  }
}

async function lookAt(path: string): Promise<FoundFile> {
  const stat = await lstat(path);
  if (!stat.isFile()) return { kind: "other", name: stat.isDirectory() ? "a folder" : "no regular file" };
  if (stat.size > MAX_KEPT_BYTES) return { kind: "large", size: stat.size };
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = await file.readFile();
    return { kind: "file", bytes, mode: stat.mode & 0o7777 };
  } finally {
    await file.close();
  }
}

export interface Restoration {
  readonly path: string;
  /** Null: there was no file. */
  readonly bytes: Uint8Array | null;
  readonly mode: number;
  readonly madeFolder: string | undefined;
}

/** Puts a file back as it was. */
export async function restoreFile({ path, bytes, mode, madeFolder }: Restoration): Promise<void> {
  const name = basename(path);
  await inFolder(dirname(path), (base) =>
    bytes === null ? unlink(`${base}/${name}`) : placeFile(base, { name, bytes, mode, sync: true }),
  );
  if (bytes === null && madeFolder !== undefined) await removeEmpty(dirname(path), madeFolder);
}

/** From the file's folder up to the one that the call made; one that holds something stays. */
async function removeEmpty(folder: string, last: string): Promise<void> {
  for (let at = folder; at === last || at.startsWith(`${last}/`); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch (error) {
      if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return;
      throw error;
    }
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
