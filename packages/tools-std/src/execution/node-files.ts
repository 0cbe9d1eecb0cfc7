import { type BigIntStats, constants, type Dirent } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, readlink, realpath } from "node:fs/promises";
import type { FileKind, FileStat, Files, OpenFile } from "@ashlar/context/tool";
import { removeFile, writeAtomically } from "./atomic-write.js";

// O_NONBLOCK: opening a FIFO must not wait for a writer. Both flags are absent on Windows.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The files of this machine. */
export const nodeFiles: Files = {
  realpath: (path) => realpath(path),
  lstat: async (path) => fileStat(await lstat(path, { bigint: true })),
  readlink: (path) => readlink(path),
  list: async (path) => {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, kind: fileKind(entry) }));
  },
  open: async (path) => openFile(await open(path, READ_FLAGS)),
  write: (path, bytes, options) => writeAtomically(path, bytes, options),
  createFolder: async (path) => {
    await mkdir(path, { recursive: true });
  },
  remove: (path) => removeFile(path),
};

function openFile(handle: FileHandle): OpenFile {
  return {
    stat: async () => fileStat(await handle.stat({ bigint: true })),
    read: async (buffer, position) => (await handle.read(buffer, 0, buffer.byteLength, position)).bytesRead,
    close: () => handle.close(),
  };
}

function fileStat(stat: BigIntStats): FileStat {
  return {
    kind: fileKind(stat),
    size: Number(stat.size),
    mtimeMs: Number(stat.mtimeMs),
    mode: Number(stat.mode),
    links: Number(stat.nlink),
    identity: `${stat.dev}:${stat.ino}`,
  };
}

function fileKind(entry: BigIntStats | Dirent): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  return "device";
}
