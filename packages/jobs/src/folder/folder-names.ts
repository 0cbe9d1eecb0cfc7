import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, storageError } from "./file-error.js";

/** The names in a folder, without hidden ones; none when there is no folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw storageError(folder, error);
  }
}

/** Undefined: there is no such file. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw storageError(file, error);
  }
}

/** What is not there is fine. */
export async function removeAll(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}
