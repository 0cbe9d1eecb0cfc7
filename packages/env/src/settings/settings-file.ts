import { writeFileAtomically } from "../atomic-file.js";
import { EnvError } from "../env-error.js";
import { inTurn } from "./file-turns.js";
import { readPath, type SettingsData, type SettingsPath, sameData, withPath } from "./settings-data.js";
import { editSettingsText } from "./settings-edit.js";
import { readSettingsFile } from "./settings-reader.js";
import { type Jsonc, type ParsedText, parseSettingsText, type TextProblem } from "./settings-text.js";

interface Change {
  readonly path: SettingsPath;
  readonly value: unknown;
}

/** Why a file does not count. Line and column when it does not parse. */
export interface FileProblem {
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * One JSONC file and the changes that wait to be saved to it. What does not parse keeps its last good data and is never
 * written over; a save edits the text that is on disk then, so comments and other programs' changes survive.
 */
export class SettingsFile {
  readonly file: string;
  readonly #within: string | undefined;
  #stamp: string | undefined;
  #text = "";
  #base: SettingsData = {};
  #data: SettingsData = {};
  #pending: readonly Change[] = [];
  #problem: FileProblem | undefined;
  #parsed: (ParsedText & { readonly ok: true }) | undefined;
  #hasData = false;

  constructor(file: string, options: { readonly within?: string } = {}) {
    this.file = file;
    this.#within = options.within;
  }

  /** What the file holds, with the waiting changes applied. */
  get data(): SettingsData {
    return this.#data;
  }

  get dirty(): boolean {
    return this.#pending.length > 0;
  }

  get problem(): FileProblem | undefined {
    return this.#problem;
  }

  /** False while the file has never been read whole. */
  get hasData(): boolean {
    return this.#hasData;
  }

  /** Keys that were left out or stand twice. */
  get notes(): readonly TextProblem[] {
    return this.#parsed?.problems ?? [];
  }

  placeOf(path: SettingsPath): { readonly line: number; readonly column: number } | undefined {
    return this.#parsed?.placeOf(path);
  }

  /** Throws kind `settings` when the file does not parse. `undefined` deletes. */
  set(path: SettingsPath, value: unknown): void {
    if (this.#problem !== undefined) throw this.#refusal(this.#problem);
    if (sameData(readPath(this.#data, path), value)) return;
    this.#pending = [...this.#pending.filter((change) => !startsWith(change.path, path)), { path, value }];
    this.#data = withPath(this.#data, path, value);
  }

  /** Reads the file if it changed; true when its data or its problem did. */
  async load(): Promise<boolean> {
    const found = await readSettingsFile(this.file, this.#stamp, this.#within);
    if (found.kind === "same") return false;
    const before = { data: this.#data, problem: this.#problem };
    this.#stamp = found.stamp;
    if (found.kind === "unreadable") {
      this.#problem = { reason: found.reason };
    } else {
      const text = found.kind === "absent" ? "" : found.text;
      this.#adopt(text, text === "" ? undefined : parseSettingsText(text, await loadJsonc()));
    }
    return !sameData(before.data, this.#data) || before.problem?.reason !== this.#problem?.reason;
  }

  #adopt(text: string, parsed: ParsedText | undefined): void {
    if (parsed !== undefined && !parsed.ok) {
      const { message, line, column } = parsed.problem;
      this.#problem = { reason: `it does not parse: ${message}`, line, column };
      return;
    }
    this.#problem = undefined;
    this.#hasData = true;
    this.#text = text;
    this.#parsed = parsed;
    this.#base = parsed?.data ?? {};
    this.#data = applied(this.#base, this.#pending);
  }

  /** Writes the waiting changes; true when the file was written. Rejects with kind `settings`, and the changes go on waiting. */
  save(): Promise<boolean> {
    return inTurn(this.file, () => this.#saveNow());
  }

  async #saveNow(): Promise<boolean> {
    const changes = this.#pending;
    if (changes.length === 0) return false;
    await this.load();
    if (this.#problem !== undefined) throw this.#refusal(this.#problem);
    const jsonc = await loadJsonc();
    const text = changes.reduce(
      (body, { path, value }) => editSettingsText(body, path, value, jsonc),
      this.#text,
    );
    const parsed = parseSettingsText(text, jsonc);
    const keys = changes.map(({ path }) => path.join(".")).join(", ");
    if (!parsed.ok || !sameData(parsed.data, applied(this.#base, changes))) {
      throw this.#failure(`${keys} cannot be changed in its text. Does a key stand there twice?`);
    }
    if (text !== this.#text) {
      try {
        await writeFileAtomically(this.file, text);
      } catch (error) {
        throw this.#failure(`${keys} could not be saved (${messageOf(error)}).`, error);
      }
    }
    this.#stamp = undefined;
    this.#pending = this.#pending.filter((change) => !changes.includes(change));
    this.#adopt(text, parsed);
    return true;
  }

  #refusal({ reason, line, column }: FileProblem): EnvError {
    const place = line === undefined || column === undefined ? {} : { line, column };
    const at = line === undefined ? this.file : `${this.file}:${line}:${column}`;
    return new EnvError(
      "settings",
      `${at}: nothing is saved to this file, because ${reason}. Correct it first; it was left as it is.`,
      { file: this.file, ...place },
    );
  }

  #failure(message: string, cause?: unknown): EnvError {
    return new EnvError("settings", `${this.file}: ${message}`, { file: this.file }, { cause });
  }
}

function applied(data: SettingsData, changes: readonly Change[]): SettingsData {
  return changes.reduce((result, { path, value }) => withPath(result, path, value), data);
}

function startsWith(path: SettingsPath, start: SettingsPath): boolean {
  return start.every((key, index) => path[index] === key);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function loadJsonc(): Promise<Jsonc> {
  return import("jsonc-parser");
}
