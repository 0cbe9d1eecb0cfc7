import { mkdir } from "node:fs/promises";
import { codeOf, storageError } from "./file-error.js";

/** Makes one folder, not those above it; whatever is there already is left for the caller to look at. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw storageError(path, error);
  }
}
