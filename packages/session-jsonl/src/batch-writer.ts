import { fdatasync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { type CommitOptions, type SessionEntry, SessionError } from "@ashlar/context";
import { storageError } from "./file-error.js";
import { type Digest, digestLine } from "./format.js";
import type { SessionLock } from "./lock/session-lock.js";
import { digestWith } from "./session-summary.js";

/** When what was written is forced to the disk: at each durable commit, at every one, or left to the system. */
export type Sync = "durable" | "always" | "never";

export interface BatchWriterOptions {
  readonly id: string;
  readonly file: string;
  /** Open for appending. */
  readonly fd: number;
  readonly lock: SessionLock;
  readonly sync: Sync;
  readonly digest: Digest;
}

interface Waiting {
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A digest stands at least this often, so that it is always in what is read of a file's end. */
const DIGEST_BYTES = 32 * 1024;
const syncData = promisify(fdatasync);

/** Appends lines, one write for all of a tick. States: open, failed (for good). The lock is asked before and after each write. */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  #digest: Digest;
  #lines = "";
  #waiting: Waiting[] = [];
  #sinceDigest = 0;
  #isScheduled = false;
  #syncing: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#digest = options.digest;
  }

  /** With everything that was handed over, written or not. */
  get digest(): Digest {
    return this.#digest;
  }

  /** Resolves once the lines are written, and on the disk if that is asked for. */
  append(entries: readonly SessionEntry[], { durable = false }: CommitOptions): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    for (const entry of entries) {
      this.#lines += `${JSON.stringify(entry)}\n`;
      this.#digest = digestWith(this.#digest, entry);
    }
    const { sync } = this.#options;
    const isDurable = sync === "always" || (sync === "durable" && durable);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ isDurable, resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      queueMicrotask(() => this.#drain());
    });
  }

  /** Resolves when nothing is under way; never rejects, since those who wait are told themselves. */
  async settled(): Promise<void> {
    await Promise.resolve();
    await this.#syncing.catch(() => undefined);
  }

  #drain(): void {
    this.#isScheduled = false;
    const [text, waiting] = [this.#lines, this.#waiting];
    this.#lines = "";
    this.#waiting = [];
    try {
      if (text !== "") this.#write(text);
    } catch (error) {
      this.#fail(error, waiting);
      return;
    }
    for (const each of waiting) if (!each.isDurable) each.resolve();
    const durable = waiting.filter(({ isDurable }) => isDurable);
    if (durable.length > 0) this.#syncing = this.#syncing.then(() => this.#sync(durable));
  }

  async #sync(waiting: readonly Waiting[]): Promise<void> {
    try {
      await syncData(this.#options.fd);
    } catch (error) {
      this.#fail(error, waiting);
      return;
    }
    for (const { resolve } of waiting) resolve();
  }

  #write(text: string): void {
    const { fd } = this.#options;
    this.#sinceDigest += text.length;
    const isDue = this.#sinceDigest > DIGEST_BYTES;
    const bytes = Buffer.from(isDue ? text + digestLine(this.#digest) : text);
    this.#checkHeld();
    writeWhole(fd, bytes);
    // Whoever took over meanwhile did not read these lines.
    this.#checkHeld();
    if (isDue) this.#sinceDigest = 0;
  }

  #checkHeld(): void {
    const { lock, id } = this.#options;
    if (lock.isHeld()) return;
    const problem = `the session ${id} was taken over by another process, because this one gave no sign of life; nothing more is written here`;
    throw new SessionError("overtaken", problem, { id });
  }

  #fail(error: unknown, waiting: readonly Waiting[]): void {
    const { file, id } = this.#options;
    this.#failure ??= storageError(error, `cannot write ${file}`, id);
    for (const { reject } of waiting) reject(this.#failure);
  }
}

/** Writes all bytes; when the medium is full, takes back what it took of them. */
function writeWhole(fd: number, bytes: Buffer): void {
  const before = fstatSync(fd).size;
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
  } catch (error) {
    if (written > 0) takeBack(fd, before);
    throw error;
  }
}

function takeBack(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size);
  } catch {
    // The torn line stays; whoever opens the file next heals it.
  }
}
