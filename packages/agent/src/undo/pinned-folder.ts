import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath, rename, rm } from "node:fs/promises";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * Works in a folder that is held open, so that nobody can put another one in its place meanwhile (on Linux; elsewhere it
 * is checked only). `work` gets a path that leads into it. Rejects with code `ENOTDIR` or `ELOOP` for what is no folder
 * of this real path any more.
 */
export async function inFolder<T>(folder: string, work: (base: string) => Promise<T>): Promise<T> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : folder;
    if ((await realpath(base)) !== folder)
      throw Object.assign(new Error(`${folder} is reached through a link now`), { code: "ELOOP" });
    return await work(base);
  } finally {
    await handle.close();
  }
}

export interface PlacedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Permission bits; the process's mask does not count. */
  readonly mode: number;
  /** Wait until it is on the disk, so that also a power failure leaves the old bytes or the new ones. */
  readonly sync: boolean;
}

/** Puts a whole file in place in one step. `base` is a folder that is there. */
export async function placeFile(base: string, { name, bytes, mode, sync }: PlacedFile): Promise<void> {
  const temporary = `${base}/.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}`;
  const file = await open(temporary, "wx", mode);
  try {
    await file.writeFile(bytes);
    await file.chmod(mode);
    if (sync) await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(temporary, `${base}/${name}`);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
