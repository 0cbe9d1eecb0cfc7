import { SettingsGraph } from "./settings-graph.js";
import type { SettingsNotice, SettingsNoticeDetails } from "./settings-notice.js";
import type { SettingsSource } from "./settings-source.js";

export interface SettingsStoreOptions {
  /** Weakest first. */
  readonly sources?: readonly SettingsSource[];
  /** The lowest layer: read below, and written when no own node takes a write. */
  readonly parent?: SettingsStore;
}

/** Why a file does not count. Line and column, from 1, when it does not parse. */
export interface SettingsProblem {
  readonly file: string;
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
}

/** Settings from files and memory, merged in order. Knows nothing of projects or of a schema. */
export class SettingsStore {
  readonly #graph: SettingsGraph;

  constructor({ sources = [], parent }: SettingsStoreOptions = {}) {
    this.#graph = new SettingsGraph(sources, parent === undefined ? undefined : parent.#graph);
  }

  /** Adds a node as the strongest. Its file is read by the next `poll`. */
  attach(source: SettingsSource): void {
    this.#graph.attach(source);
  }

  /** The merged value, frozen; undefined when nobody has it. `[]` reads the whole tree. */
  read(path: readonly string[]): unknown {
    return this.#graph.read(path);
  }

  /**
   * Gives the value to the strongest node that holds the key or takes all; `undefined` deletes it there. False when nobody
   * takes it. Throws a TypeError for an empty path, kind `settings` for what is not JSON or a file that does not parse.
   */
  write(path: readonly string[], value: unknown): boolean {
    return this.#graph.write(path, value);
  }

  /** Reads the files that changed. What cannot be read keeps its last data and stands in `problems`. */
  poll(): Promise<void> {
    return this.#graph.poll();
  }

  /** Writes changed files, the parent's too unless told not to. Rejects with kind `settings` after every file had its turn. */
  save(options: { readonly parent?: boolean } = {}): Promise<void> {
    return this.#graph.save(options);
  }

  /** Releases this store only, not its parent; what was not saved is dropped. */
  close(): Promise<void> {
    return this.#graph.close();
  }

  /** The own files that do not count. */
  get problems(): readonly SettingsProblem[] {
    return this.#graph.nodes.flatMap(({ file }) =>
      file?.problem === undefined ? [] : [{ file: file.file, ...file.problem }],
    );
  }

  /** Gives a handle for `offNotice`. */
  onNotice(notice: SettingsNotice, listener: (details: SettingsNoticeDetails) => void): number {
    return this.#graph.onNotice(notice, listener);
  }

  offNotice(handle: number): boolean {
    return this.#graph.offNotice(handle);
  }
}
