import { fdatasync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { type CommitOptions, type SessionEntry, SessionError } from "@ashlar/context";
import { storageError } from "./file-error.js";
import { type Digest, digestLine } from "./format.js";
import type { SessionLock } from "./lock/session-lock.js";
import { RunningDigest } from "./session-summary.js";

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
  readonly #summary: RunningDigest;
  #lines = "";
  #waiting: Waiting[] = [];
  #sinceDigest = 0;
  #isScheduled = false;
  #syncing: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#summary = new RunningDigest(options.digest);
  }

  /** With everything that was handed over, written or not. */
  get digest(): Digest {
    return this.#summary.digest;
  }

  /** Resolves once the lines are written, and on the disk if that is asked for. */
  append(entries: readonly SessionEntry[], { durable = false }: CommitOptions): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    for (const entry of entries) {
      this.#lines += `${JSON.stringify(entry)}\n`;
      this.#summary.take(entry);
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
    this.#checkHeld();
    writeWhole(fd, isDue ? text + digestLine(this.digest) : text);
    // Whoever took over while this process was stopped in between did not read these lines.
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

/** Writes all of the text; when the medium is full, takes back what it took of it. */
function writeWhole(fd: number, text: string): void {
  let written = writeSync(fd, text);
  // Only where the medium took less is the text needed as bytes.
  if (written === Buffer.byteLength(text)) return;
  const bytes = Buffer.from(text);
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
  } catch (error) {
    takeBack(fd, written);
    throw error;
  }
}

function takeBack(fd: number, written: number): void {
  try {
    ftruncateSync(fd, fstatSync(fd).size - written);
  } catch {
    // The torn line stays; whoever opens the file next heals it.
  }
}
