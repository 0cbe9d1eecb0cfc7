import type { FileHandle } from "node:fs/promises";
import { isEntry, previewOf, type SessionEntry } from "@ashlar/context";
import { type Digest, type Header, noteOf } from "./format.js";
import { parseLine } from "./parse-line.js";

/** What the two ends of a file say of the whole. */
export interface Summary {
  /** Undefined when the first line is no header. */
  readonly header: Header | undefined;
  readonly digest: Digest;
  readonly size: number;
  /** Where the last line begins when no line end follows it; else the size. */
  readonly end: number;
  /** True when at least one entry was seen. */
  readonly hasEntries: boolean;
}

const WINDOW_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;
/** Among so many lines at the end there is an entry, unless the end is damaged. */
const LAST_LINES = 8;

/** Reads the first and the last 64 KiB, and more only where a single line is longer. */
export async function readSummary(handle: FileHandle): Promise<Summary> {
  const { size } = await handle.stat();
  const head = await readHead(handle, size);
  const tail = await readTail(handle, size, head.bytes.length);
  const first = valuesOf(head.lines[0] ?? "").map(noteOf)[0];
  const header = first?.type === "header" ? first.header : undefined;
  const collector = new DigestCollector();
  // A file that fits into the head has no other tail.
  collector.takeLines(tail.isHead ? head.lines : tail.lines);
  if (!collector.hasDigest && !tail.isHead) collector.addHead(head.lines.flatMap(valuesOf));
  return {
    header,
    digest: collector.digest,
    size,
    end: tail.end,
    hasEntries: collector.digest.seq > 0,
  };
}

interface Window {
  readonly bytes: Buffer;
  /** Whole lines. */
  readonly lines: readonly string[];
}

async function readHead(handle: FileHandle, size: number): Promise<Window> {
  for (let length = WINDOW_BYTES; ; length *= 4) {
    const bytes = await readAt(handle, 0, Math.min(size, length));
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    // A header holds whatever an agent had to say of itself; what is no session may be one line of any length.
    if (end > 0 || bytes.length === size || length >= MAX_HEADER_BYTES)
      return { bytes, lines: linesOf(bytes.subarray(0, end)) };
  }
}

async function readTail(
  handle: FileHandle,
  size: number,
  headLength: number,
): Promise<Window & { readonly end: number; readonly isHead: boolean }> {
  let length = Math.min(size, WINDOW_BYTES);
  for (;;) {
    const start = size - length;
    const bytes = await readAt(handle, start, length);
    const last = bytes.lastIndexOf(NEWLINE);
    const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
    const isWhole = start === 0 || (last >= 0 && first <= last);
    if (!isWhole) {
      length = Math.min(size, length * 4);
      continue;
    }
    const lines = linesOf(bytes.subarray(first, last + 1));
    return { bytes, lines, end: start + last + 1, isHead: start === 0 && length <= headLength };
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function linesOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString("utf8");
  return text === "" ? [] : text.split("\n").slice(0, -1);
}

function valuesOf(line: string): readonly unknown[] {
  return parseLine(line).values;
}

/** Follows name, preview and the newest entry over the lines of a window. */
class DigestCollector {
  readonly #running = new RunningDigest({ seq: 0, at: 0 });
  hasDigest = false;

  get digest(): Digest {
    return this.#running.digest;
  }

  take(value: unknown): void {
    const note = noteOf(value);
    if (note?.type === "digest") {
      this.hasDigest = true;
      if (note.digest.seq >= this.#running.seq) this.#running.restart(note.digest);
    } else if (note?.type === "header" && note.header.version === 1) this.#running.name = note.header.name;
    else if (isEntry(value)) this.#running.take(value);
  }

  /** Parses only the lines that can change what is known: the last ones, notes, names, and those before the first words. */
  takeLines(lines: readonly string[]): void {
    lines.forEach((line, index) => {
      const isLate = index >= lines.length - LAST_LINES;
      const isTelling = line.startsWith('{"type"') || line.includes('"kind":"name"');
      if (!isLate && !isTelling && this.#running.preview !== undefined) return;
      for (const value of valuesOf(line)) this.take(value);
    });
  }

  /** What only the head of a file without any digest can say. */
  addHead(values: readonly unknown[]): void {
    const head = new DigestCollector();
    for (const value of values) head.take(value);
    this.#running.name ??= head.#running.name;
    this.#running.preview ??= head.#running.preview;
  }
}

/** The digest of all entries so far. */
export class RunningDigest {
  seq = 0;
  at = 0;
  name: string | undefined;
  preview: string | undefined;

  constructor(digest: Digest) {
    this.restart(digest);
  }

  get digest(): Digest {
    const { seq, at, name, preview } = this;
    return {
      seq,
      at,
      ...(name === undefined ? {} : { name }),
      ...(preview === undefined ? {} : { preview }),
    };
  }

  restart({ seq, at, name, preview }: Digest): void {
    this.seq = seq;
    this.at = at;
    this.name = name;
    this.preview = preview;
  }

  take(entry: SessionEntry): void {
    this.seq = Math.max(this.seq, entry.seq);
    this.at = entry.at;
    if (entry.kind === "name") this.name = entry.name ?? undefined;
    else if (this.preview === undefined) this.preview = previewOf(entry);
  }
}
