import type { FileHandle } from "node:fs/promises";
import { type EntryKind, EntryMender, isEntry, type SessionDamage, type SessionEntry } from "@ashlar/context";
import { noteOf } from "./format.js";
import { type Line, readLines, textOf } from "./line-reader.js";
import { type ParsedLine, parseLine } from "./parse-line.js";
import { createV1Reader } from "./version-1.js";

export interface ScanOptions {
  /** For places in reports. */
  readonly file: string;
  readonly handle: FileHandle;
  /** Nothing behind this offset is looked at. */
  readonly size: number;
  /** The file's format. */
  readonly version: number;
  readonly report: (damage: SessionDamage) => void;
}

/** What a file's lines hold, mended, a chunk's worth at a time. One pass, whatever the file's size. */
export async function* scanSession(
  options: ScanOptions,
): AsyncGenerator<readonly SessionEntry[], void, undefined> {
  const scan = new SessionScan(options);
  for await (const lines of readLines(options.handle, options.size)) yield scan.take(lines);
  yield scan.end();
}

class SessionScan {
  readonly #file: string;
  readonly #report: (damage: SessionDamage) => void;
  readonly #mender: EntryMender;
  readonly #convert: (value: unknown) => readonly unknown[];
  readonly #isCurrent: boolean;
  /** Not reported yet: the next line may say that this one is known. */
  #torn: SessionDamage | undefined;

  constructor({ file, report, version }: ScanOptions) {
    this.#file = file;
    this.#report = report;
    this.#mender = new EntryMender(report);
    this.#isCurrent = version !== 1;
    this.#convert = this.#isCurrent ? (value) => [value] : createV1Reader();
  }

  take(lines: readonly Line[]): readonly SessionEntry[] {
    const entries: SessionEntry[] = [];
    for (const line of lines) this.#takeLine(line, entries);
    return entries;
  }

  end(): readonly SessionEntry[] {
    this.#tellTorn();
    return this.#mender.end();
  }

  #takeLine(line: Line, entries: SessionEntry[]): void {
    const parsed = parseLine(textOf(line));
    const { values, problem } = parsed;
    const at = (): string => `${this.#file}:${line.number}`;
    const [first] = values;
    // Nearly every line is one entry.
    if (values.length === 1 && problem === undefined && this.#isCurrent && hasKind(first)) {
      this.#tellTorn();
      for (const entry of this.#mender.add(first, at)) entries.push(entry);
      return;
    }
    this.#takeOther(line, parsed, entries);
  }

  #takeOther(line: Line, { values, problem }: ParsedLine, entries: SessionEntry[]): void {
    const at = (): string => `${this.#file}:${line.number}`;
    const isHealed = values.length === 1 && noteOf(values[0])?.type === "healed";
    if (isHealed) this.#torn = undefined;
    this.#tellTorn();
    if (problem !== undefined) this.#hold(line, problem, values.length > 0, at);
    for (const value of values) {
      // The first line is the header's; notes elsewhere are for who looks at the end only.
      if (line.number === 1 ? isHeader(value) : this.#isCurrent && noteOf(value) !== undefined) continue;
      for (const each of this.#convert(value))
        for (const entry of this.#mender.add(each, at)) entries.push(entry);
    }
  }

  #hold(line: Line, problem: string, isPartlyRead: boolean, at: () => string): void {
    const reason = line.isEnded || isPartlyRead ? "unreadable" : "torn";
    const text = line.isEnded ? `the line: ${problem}` : `the last line has no end: ${problem}`;
    this.#torn = { reason, at: at(), message: `${at()}: ${text}` };
  }

  #tellTorn(): void {
    if (this.#torn !== undefined) this.#report(this.#torn);
    this.#torn = undefined;
  }
}

function hasKind(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && !("type" in value);
}

function isHeader(value: unknown): boolean {
  return noteOf(value)?.type === "header";
}

/** How far into a line its kind may stand. */
const HEAD_BYTES = 400;

/**
 * The entries of some kinds, without parsing the others. For files of the current format; damage is passed over, since
 * a whole pass reports it.
 */
export async function* scanKinds(
  handle: FileHandle,
  size: number,
  kinds: readonly EntryKind[],
): AsyncGenerator<readonly SessionEntry[], void, undefined> {
  const marks = kinds.map((kind) => Buffer.from(`"kind":"${kind}"`));
  let seq = 0;
  for await (const lines of readLines(handle, size)) {
    const entries: SessionEntry[] = [];
    for (const line of lines) {
      if (!hasMark(line, marks)) continue;
      for (const value of parseLine(textOf(line)).values) {
        const entry = isEntry(value) ? value : undefined;
        if (entry === undefined || entry.seq <= seq || !kinds.includes(entry.kind)) continue;
        seq = entry.seq;
        entries.push(entry);
      }
    }
    yield entries;
  }
}

function hasMark({ bytes, start, end }: Line, marks: readonly Buffer[]): boolean {
  const head = bytes.subarray(start, Math.min(end, start + HEAD_BYTES));
  return marks.some((mark) => head.includes(mark));
}
