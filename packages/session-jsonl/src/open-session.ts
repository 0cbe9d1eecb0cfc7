import { writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isEntry, type SessionDamage, SessionError, type StoredSession } from "@ashlar/context";
import { BatchWriter, type Sync } from "./batch-writer.js";
import { codeOf, readError, storageError } from "./file-error.js";
import { FORMAT_VERSION, type Header, healedLine } from "./format.js";
import { JsonlStore } from "./jsonl-store.js";
import { type LockTimes, SessionLock } from "./lock/session-lock.js";
import { parseLine } from "./parse-line.js";
import { replaceByCopy } from "./publish.js";
import { rewriteSession } from "./rewrite-session.js";
import { readSummary, type Summary } from "./session-summary.js";

const COUNTED_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

export interface SessionPlace {
  readonly id: string;
  readonly file: string;
}

export interface WritingOptions {
  readonly sync: Sync;
  readonly lock: LockTimes;
}

export function lockPath(file: string): string {
  return `${file}.lock`;
}

/** Opens without a lock; takes nothing. */
export async function openForReading(place: SessionPlace): Promise<StoredSession> {
  try {
    return await openUnlocked(place);
  } catch (error) {
    throw readError(error, `cannot read ${place.file}`);
  }
}

async function openUnlocked({ id, file }: SessionPlace): Promise<StoredSession> {
  const handle = await openFile(file, "r", id);
  try {
    const summary = await readSummary(handle);
    const damage: SessionDamage[] = [];
    const header = summary.header ?? guessedHeader(id, file, summary, damage);
    return new JsonlStore({ id, file, handle, header, digest: summary.digest, writing: undefined, damage });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Takes the lock, brings an older format up to date, heals a torn end. */
export async function openForWriting(place: SessionPlace, options: WritingOptions): Promise<StoredSession> {
  const lock = await lockSession(place, options.lock);
  try {
    return await openLocked(place, lock, options);
  } catch (error) {
    await lock.release();
    throw storageError(error, `cannot open ${place.file} for writing`, place.id);
  }
}

export async function lockSession({ id, file }: SessionPlace, times: LockTimes): Promise<SessionLock> {
  try {
    return await SessionLock.acquire(lockPath(file), id, times);
  } catch (error) {
    throw storageError(error, `cannot lock ${file}`, id);
  }
}

async function openLocked(
  place: SessionPlace,
  lock: SessionLock,
  options: WritingOptions,
): Promise<StoredSession> {
  const { id, file } = place;
  const staged = `${file}.${lock.owner.token}.tmp`;
  // Who was overtaken while it was stopped may wake up in the middle of a write: it then writes to what is no file any more.
  if (lock.isFromLiving) await replaceByCopy(file, staged);
  const damage: SessionDamage[] = [];
  if ((await versionOf(place)) < FORMAT_VERSION) damage.push(await migrate(place, staged));
  const handle = await openFile(file, "a+", id);
  try {
    const summary = await readSummary(handle);
    const { digest } = summary;
    const header = summary.header ?? refuseHeaderless(file);
    damage.push(...(await heal(file, handle, summary)));
    const writer = new BatchWriter({ id, file, fd: handle.fd, lock, sync: options.sync, digest });
    return new JsonlStore({ id, file, handle, header, digest, writing: { lock, writer }, damage });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function migrate(place: SessionPlace, staged: string): Promise<SessionDamage> {
  const { version, backup, damage } = await rewriteSession(place, staged, (from) => `v${from}`);
  const { file } = place;
  const also =
    damage.length === 0
      ? ""
      : `; ${damage.length} places in it were damaged, the first: ${damage[0]?.message}`;
  return {
    reason: "format",
    at: file,
    message: `${file}: brought from format ${version} to ${FORMAT_VERSION}; the original is ${backup}${also}`,
  };
}

/** The format that the file is in. Throws kind `version` for one that a newer Ashlar wrote, kind `damaged` for none. */
async function versionOf({ id, file }: SessionPlace): Promise<number> {
  const handle = await openFile(file, "r", id);
  try {
    const { header } = await readSummary(handle);
    const version = (header ?? refuseHeaderless(file)).version;
    if (version >= 1 && version <= FORMAT_VERSION) return version;
    const text = `${file}:1: the session is of format ${version}; this Ashlar writes ${FORMAT_VERSION} and reads it only: update Ashlar, or fork the session`;
    throw new SessionError("version", text, { found: version, supported: FORMAT_VERSION });
  } finally {
    await handle.close();
  }
}

function refuseHeaderless(file: string): never {
  const at = `${file}:1`;
  throw new SessionError(
    "damaged",
    `${at}: the first line is no header of a session; read it, or repair it before you write`,
    { at },
  );
}

/** What can be read is read, as long as there is an entry at all. Throws kind `damaged` for a file of another kind. */
function guessedHeader(id: string, file: string, { hasEntries }: Summary, damage: SessionDamage[]): Header {
  const at = `${file}:1`;
  if (!hasEntries)
    throw new SessionError("damaged", `${at}: this is no session: neither a header nor an entry was found`, {
      at,
    });
  damage.push({
    reason: "unreadable",
    at,
    message: `${at}: the first line is no header; the entries were read without it`,
  });
  return { version: FORMAT_VERSION, id, created: 0 };
}

/** Ends a last line that has no end. A line that is torn stays where it is, with a note behind it that says so. */
async function heal(
  file: string,
  handle: FileHandle,
  { size, end }: Summary,
): Promise<readonly SessionDamage[]> {
  if (end === size) return [];
  const bytes = Buffer.alloc(size - end);
  await handle.read(bytes, 0, bytes.length, end);
  const { values, problem } = parseLine(bytes.toString("utf8"));
  const isWhole = problem === undefined && values.length === 1 && isEntry(values[0]);
  writeSync(handle.fd, isWhole ? "\n" : `\n${healedLine(bytes.length, Date.now())}`);
  const found = isWhole
    ? "the last line was whole but had no end, and got one"
    : `the last ${bytes.length} bytes are torn; they are passed over, and kept in the file`;
  const at = `${file}:${(await countLines(handle, end)) + 1}`;
  return [{ reason: "torn", at, message: `${at}: ${found}` }];
}

/** Only where something is wrong: it reads the whole file. */
async function countLines(handle: FileHandle, end: number): Promise<number> {
  const chunk = Buffer.alloc(COUNTED_BYTES);
  let lines = 0;
  for (let position = 0; position < end; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, end - position), position);
    if (bytesRead === 0) break;
    for (let at = chunk.indexOf(LINE_END); at >= 0 && at < bytesRead; at = chunk.indexOf(LINE_END, at + 1))
      lines += 1;
    position += bytesRead;
  }
  return lines;
}

export async function openFile(file: string, flags: "r" | "a+", id: string): Promise<FileHandle> {
  try {
    return await open(file, flags, 0o600);
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw new SessionError("missing", `there is no session ${id}`, { id });
    throw error;
  }
}
