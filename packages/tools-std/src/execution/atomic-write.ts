import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WriteOptions } from "@ashlar/context/tool";

const NEW_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const PERMISSIONS = 0o7777;
const DEFAULT_MODE = 0o666;
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Writes a file beside the target and moves it into place, so that at any moment there is the old content or the new.
 * Fails with `ELOOP` on a link, `EISDIR` on a folder, `EEXIST` on what is there when `exclusive`.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  { mode = DEFAULT_MODE, exclusive = false }: WriteOptions = {},
): Promise<void> {
  const before = await present(path);
  refuseKind(before, path, exclusive);
  const temporary = join(dirname(path), `.ashlar-${randomUUID()}.tmp`);
  const handle = await open(temporary, NEW_FLAGS, mode);
  try {
    await fill(handle, bytes, before);
    await (exclusive ? putNew(temporary, path) : rename(temporary, path));
  } catch (cause) {
    await unlink(temporary).catch(ignoreMissing);
    throw cause;
  }
  await syncFolder(dirname(path));
}

/** Removes one regular file; fails with the same codes, and with `ENOENT` where nothing is. */
export async function removeFile(path: string): Promise<void> {
  refuseKind(await lstat(path), path, false);
  // It follows no link and takes no folder, whatever came there since.
  await unlink(path);
  await syncFolder(dirname(path));
}

async function present(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

function refuseKind(before: Stats | undefined, path: string, exclusive: boolean): void {
  if (before === undefined) return;
  if (exclusive) throw failure("EEXIST", `${path} is there already`);
  if (before.isSymbolicLink()) throw failure("ELOOP", `${path} is a link`);
  if (before.isDirectory()) throw failure("EISDIR", `${path} is a folder`);
  if (!before.isFile()) throw failure("EINVAL", `${path} is no regular file`);
}

/** The owner first: changing it clears permission bits. */
async function fill(handle: FileHandle, bytes: Uint8Array, before: Stats | undefined): Promise<void> {
  try {
    await handle.writeFile(bytes);
    if (before !== undefined) {
      const { uid, gid } = await handle.stat();
      if (uid !== before.uid || gid !== before.gid)
        await handle.chown(before.uid, before.gid).catch(ignoreDenied);
      await handle.chmod(before.mode & PERMISSIONS);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A link fails when the name is taken, where a rename would replace it. */
async function putNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (cause) {
    // Some file systems have no links: there, what can be looked at is looked at just before.
    if (!NO_LINKS.includes(codeOf(cause))) throw cause;
    refuseKind(await present(path), path, true);
    return rename(temporary, path);
  }
  await unlink(temporary);
}

/** So that the new name survives a power cut too. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {
    // Some file systems cannot sync a folder; the content itself is safe by now.
  }
}

function ignoreMissing(cause: unknown): void {
  if (codeOf(cause) !== "ENOENT") throw cause;
}

/** Only a privileged user may give a file to somebody else; without it the file is the writer's. */
function ignoreDenied(cause: unknown): void {
  if (codeOf(cause) !== "EPERM") throw cause;
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
