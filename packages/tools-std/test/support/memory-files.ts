import { dirname } from "node:path";
import type { Execution, FileKind, FileStat, Files, OpenFile, Shell } from "@ashlar/context/tool";

export interface MemoryEntry {
  readonly kind: FileKind;
  readonly bytes?: Uint8Array;
  /** Code of the failure when it is opened or listed. */
  readonly fails?: string;
}

/** Files that exist in memory only. Keys are absolute paths; folders are made of them. */
export function memoryFiles(entries: Readonly<Record<string, MemoryEntry>>): Files {
  const all = new Map<string, MemoryEntry>([["/", { kind: "directory" }]]);
  for (const [path, entry] of Object.entries(entries)) {
    const parts = path.split("/").slice(1);
    for (let depth = 1; depth < parts.length; depth += 1) {
      all.set(`/${parts.slice(0, depth).join("/")}`, { kind: "directory" });
    }
    all.set(path, entry);
  }
  const at = (path: string): MemoryEntry => {
    const entry = all.get(path);
    if (entry === undefined) throw failure("ENOENT");
    return entry;
  };
  const stat = (path: string): FileStat => {
    const { kind, bytes } = at(path);
    return { kind, size: bytes?.byteLength ?? 0, mtimeMs: 0, mode: 0o600, links: 1, identity: path };
  };
  return {
    realpath: async (path) => {
      at(path);
      return path;
    },
    lstat: async (path) => stat(path),
    list: async (path) => {
      const { fails } = at(path);
      if (fails !== undefined) throw failure(fails);
      const prefix = path === "/" ? "/" : `${path}/`;
      return [...all]
        .filter(
          ([name]) => name !== "/" && name.startsWith(prefix) && !name.slice(prefix.length).includes("/"),
        )
        .map(([name, { kind }]) => ({ name: name.slice(prefix.length), kind }));
    },
    readlink: async (path) => {
      at(path);
      throw failure("EINVAL");
    },
    createFolder: async (path) => {
      for (let folder = path; folder !== "/"; folder = dirname(folder))
        all.set(folder, { kind: "directory" });
    },
    write: async (path, bytes, { exclusive = false } = {}) => {
      if (exclusive && all.has(path)) throw failure("EEXIST");
      at(dirname(path));
      all.set(path, { kind: "file", bytes: bytes.slice() });
    },
    remove: async (path) => {
      const { kind } = at(path);
      if (kind !== "file")
        throw failure(kind === "directory" ? "EISDIR" : kind === "link" ? "ELOOP" : "EINVAL");
      all.delete(path);
    },
    open: async (path) => {
      const entry = at(path);
      if (entry.fails !== undefined) throw failure(entry.fails);
      return openFile(entry, () => stat(path));
    },
  };
}

/** A machine whose files exist in memory only, and which runs what `run` runs. */
export function memoryExecution(files: Files, run: Shell["run"] = noShell): Execution {
  return { files, shell: { run } };
}

async function noShell(): Promise<never> {
  throw failure("ENOSYS");
}

function openFile({ bytes = new Uint8Array() }: MemoryEntry, stat: () => FileStat): OpenFile {
  return {
    stat: async () => stat(),
    read: async (buffer, position) => {
      const part = bytes.subarray(position, position + buffer.byteLength);
      buffer.set(part);
      return part.byteLength;
    },
    close: async () => {},
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: in memory`), { code });
}
