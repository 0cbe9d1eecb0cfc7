import {
  isSettingsData,
  jsonCopy,
  readPath,
  type SettingsData,
  type SettingsPath,
  withPath,
} from "./settings-data.js";
import { SettingsFile } from "./settings-file.js";
import type { SettingsSource } from "./settings-source.js";

/** A source as the layers of an Env use it. */
export interface NodeSource extends SettingsSource {
  /** A link at `source` may not leave this folder. */
  readonly within?: string;
  /** What of the data counts. Called again after the data changed or `refresh`. */
  readonly admit?: (data: SettingsData, node: SettingsNode) => SettingsData;
}

/** A node with its state. */
export class SettingsNode {
  readonly file: SettingsFile | undefined;
  readonly #source: NodeSource;
  #memory: SettingsData;
  #seen: SettingsData | undefined;
  #view: SettingsData = {};

  constructor(source: NodeSource) {
    this.#source = source;
    const within = source.within === undefined ? {} : { within: source.within };
    this.file = source.source === undefined ? undefined : new SettingsFile(source.source, within);
    const copy = jsonCopy(source.data ?? {}, source.at ?? []);
    this.#memory = isSettingsData(copy) ? copy : {};
  }

  /** The admitted data, at its place in the tree. */
  get view(): SettingsData {
    const data = this.file?.data ?? this.#memory;
    if (data !== this.#seen) {
      const admitted = this.#source.admit?.(data, this) ?? data;
      const at = this.#source.at ?? [];
      this.#view = at.length === 0 ? admitted : withPath({}, at, admitted);
      this.#seen = data;
    }
    return this.#view;
  }

  /** Forgets what was admitted. */
  refresh(): void {
    this.#seen = undefined;
  }

  /** Replaces data in memory. */
  replace(data: SettingsData): void {
    this.#memory = data;
  }

  /** True when the node holds the key, or takes keys it does not hold. */
  takes(path: SettingsPath, value: unknown): boolean {
    const at = this.#source.at ?? [];
    if (this.#source.readOnly === true || !at.every((key, index) => path[index] === key)) return false;
    if (path.length === at.length) return isSettingsData(value);
    if (readPath(this.view, path) !== undefined) return this.file?.problem === undefined;
    return this.#source.catchAll === true && value !== undefined;
  }

  /** Throws kind `settings` when the node's file does not parse. */
  write(path: SettingsPath, value: unknown): void {
    const inside = path.slice(this.#source.at?.length ?? 0);
    if (inside.length > 0) {
      this.#set(inside, value);
      return;
    }
    const wanted = isSettingsData(value) ? value : {};
    const held = this.file?.data ?? this.#memory;
    for (const key of Object.keys(held)) if (!Object.hasOwn(wanted, key)) this.#set([key], undefined);
    for (const [key, part] of Object.entries(wanted)) this.#set([key], part);
  }

  #set(path: SettingsPath, value: unknown): void {
    if (this.file === undefined) this.#memory = withPath(this.#memory, path, value);
    else this.file.set(path, value);
  }
}
