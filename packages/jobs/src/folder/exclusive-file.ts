import { randomUUID } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, storageError } from "./file-error.js";

/** Such file systems know no second name for a file. */
const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Makes a file unless there is one; true: this caller made it. Others see the whole text or nothing, except on file
 * systems without hard links, where they may see its beginning for a moment.
 */
export async function createExclusively(path: string, text: string): Promise<boolean> {
  const draft = draftOf(path);
  try {
    // Flushed: what was claimed stays claimed when the power fails.
    await writeFile(draft, text, { flag: "wx", flush: true });
    return await publish(draft, path, text);
  } catch (error) {
    throw storageError(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Puts a whole file in place in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw storageError(path, error);
  }
}

async function publish(draft: string, path: string, text: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!NO_LINKS.includes(codeOf(error))) throw error;
  }
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Hidden, so that nobody takes it for a task or a record. */
function draftOf(path: string): string {
  return join(dirname(path), `.${randomUUID()}.tmp`);
}
