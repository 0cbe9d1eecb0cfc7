import { constants } from "node:fs";
import { copyFile, link, open, rename, rm } from "node:fs/promises";
import { codeOf } from "./file-error.js";

const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

const NO_FOLDER_SYNC: readonly (string | undefined)[] = ["EISDIR", "EINVAL", "EPERM", "EBADF", "ENOTSUP"];

/** Gives a file a second name that nobody has yet; `taken` when somebody has. Copies where there are no hard links. */
export async function linkExclusively(file: string, name: string): Promise<"linked" | "copied" | "taken"> {
  try {
    await link(file, name);
    return "linked";
  } catch (error) {
    if (codeOf(error) === "EEXIST") return "taken";
    if (!NO_LINKS.includes(codeOf(error))) throw error;
  }
  try {
    await copyFile(file, name, constants.COPYFILE_EXCL);
    return "copied";
  } catch (error) {
    if (codeOf(error) === "EEXIST") return "taken";
    throw error;
  }
}

/** Puts a whole file in its place, or nothing: false when the name is taken. The staged file is gone either way. */
export async function publish(staged: string, file: string): Promise<boolean> {
  try {
    return (await linkExclusively(staged, file)) !== "taken";
  } finally {
    await rm(staged, { force: true });
  }
}

/** Replaces a file by a copy of itself that nobody holds open. */
export async function replaceByCopy(file: string, staged: string): Promise<void> {
  try {
    await copyFile(file, staged, constants.COPYFILE_FICLONE);
    await sync(staged);
    await rename(staged, file);
  } finally {
    await rm(staged, { force: true });
  }
}

/** Keeps a file under a second name; the first of `name`, `name.2`, `name.3` … that is free. */
export async function keepAs(file: string, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}.${count}`;
    if ((await linkExclusively(file, free)) !== "taken") return free;
  }
}

/** Makes the names in a folder survive a loss of power. Some systems cannot do that for a folder; files are safe there all the same. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await sync(folder, "r");
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(codeOf(error))) throw error;
  }
}

async function sync(file: string, flags: "r" | "r+" = "r+"): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
