import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type ChangeRecord, decodeRecord } from "./change-record.js";
import { placeFile } from "./pinned-folder.js";
import { codeOf, hashOf } from "./project-file.js";

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_RECORDS = 1_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Bytes that no record names may belong to a call that is just being recorded by another process. */
const ORPHAN_AGE_MS = 60 * 60 * 1000;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * The stored changes of one project: a file for each record, and the prior bytes by their hash. No file is ever changed
 * in place, so several processes may work in one project.
 */
export class JournalFiles {
  readonly #records: string;
  readonly #bytes: string;

  constructor(state: string, project: string) {
    const name = createHash("sha256").update(project).digest("hex").slice(0, 24);
    this.#records = join(state, "undo", name, "records");
    this.#bytes = join(state, "undo", name, "bytes");
  }

  /** Oldest first. What cannot be read as a record is passed over. */
  async list(): Promise<readonly ChangeRecord[]> {
    const names = (await namesIn(this.#records)).filter((name) => name.endsWith(".json")).sort();
    const records = await Promise.all(names.map((name) => this.#read(join(this.#records, name))));
    return records.filter((record) => record !== undefined);
  }

  async write(record: ChangeRecord): Promise<void> {
    await mkdir(this.#records, { recursive: true, mode: FOLDER_MODE });
    const text = `${JSON.stringify(record)}\n`;
    await place(this.#records, `${record.id}.json`, new TextEncoder().encode(text));
  }

  async remove({ id }: ChangeRecord): Promise<void> {
    await rm(join(this.#records, `${id}.json`), { force: true });
  }

  /** Keeps bytes; gives their hash. */
  async keep(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    const file = join(this.#bytes, hash);
    await mkdir(this.#bytes, { recursive: true, mode: FOLDER_MODE });
    const now = new Date();
    try {
      await utimes(file, now, now);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      await place(this.#bytes, hash, bytes);
    }
    return hash;
  }

  /** Undefined when they are gone, or are not what they should be. */
  async kept(hash: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await readFile(join(this.#bytes, hash));
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Lets go what is too old or too much. */
  async prune(now: number): Promise<void> {
    const records = await this.list();
    const sizes = await this.#sizes();
    const kept = new Set<string>();
    let room = MAX_BYTES;
    let full = false;
    for (const [age, record] of [...records].reverse().entries()) {
      const { before } = record;
      const size = before === null || kept.has(before) ? 0 : (sizes.get(before)?.size ?? 0);
      // Once one has to go, all older ones go too: what is listed has no holes.
      full ||= age >= MAX_RECORDS || now - record.at > MAX_AGE_MS || size > room;
      if (full) await this.remove(record);
      else if (before !== null) {
        kept.add(before);
        room -= size;
      }
    }
    for (const [hash, { mtimeMs }] of sizes)
      if (!kept.has(hash) && now - mtimeMs > ORPHAN_AGE_MS)
        await rm(join(this.#bytes, hash), { force: true });
  }

  async #sizes(): Promise<ReadonlyMap<string, { readonly size: number; readonly mtimeMs: number }>> {
    const names = await namesIn(this.#bytes);
    const stats = await Promise.all(
      // Another process may have let it go meanwhile.
      names.map(async (name) => [name, await stat(join(this.#bytes, name)).catch(() => undefined)] as const),
    );
    return new Map(stats.flatMap(([name, found]) => (found === undefined ? [] : [[name, found] as const])));
  }

  async #read(file: string): Promise<ChangeRecord | undefined> {
    try {
      return decodeRecord(JSON.parse(await readFile(file, "utf8")));
    } catch (error) {
      // Removed meanwhile by another process, or damaged: either way it names nothing that could be put back.
      if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** A record that a power failure takes is no loss worth the wait of each call. */
function place(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  return placeFile(folder, { name, bytes, mode: FILE_MODE, sync: false });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
