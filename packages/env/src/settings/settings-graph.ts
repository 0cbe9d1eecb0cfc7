import { EnvError } from "../env-error.js";
import {
  deepFreeze,
  isControlKey,
  isSettingsData,
  jsonCopy,
  mergeData,
  readPath,
  type SettingsData,
  type SettingsPath,
} from "./settings-data.js";
import { type NodeSource, SettingsNode } from "./settings-node.js";

import type { SettingsNotice, SettingsNoticeDetails } from "./settings-notice.js";

type Listener = (details: SettingsNoticeDetails) => void;

/** Nodes in order, merged. What `SettingsStore` shows of it is public; the layers of an Env use all of it. */
export class SettingsGraph {
  readonly #nodes: SettingsNode[];
  readonly #parent: SettingsGraph | undefined;
  readonly #listeners = new Map<number, { readonly notice: SettingsNotice; readonly listener: Listener }>();
  #handle = 0;
  #revision = 0;
  #merged: { readonly revision: number; readonly data: SettingsData } | undefined;
  #updated = false;
  #closed = false;

  constructor(sources: readonly NodeSource[] = [], parent?: SettingsGraph) {
    this.#nodes = sources.map((source) => new SettingsNode(source));
    this.#parent = parent;
  }

  /** Changes whenever what `read` gives may have changed. */
  get revision(): number {
    return this.#revision + (this.#parent?.revision ?? 0);
  }

  get nodes(): readonly SettingsNode[] {
    return this.#nodes;
  }

  /** Adds a node, by default as the strongest. Its file is read by the next `poll`. */
  attach(source: NodeSource, index: number = this.#nodes.length): SettingsNode {
    const node = new SettingsNode(source);
    this.#nodes.splice(index, 0, node);
    this.refresh();
    return node;
  }

  detach(node: SettingsNode): void {
    const index = this.#nodes.indexOf(node);
    if (index === -1) return;
    this.#nodes.splice(index, 1);
    this.refresh();
  }

  /** Asks every node again what of its data counts. */
  refresh(): void {
    for (const node of this.#nodes) node.refresh();
    this.#revision += 1;
    this.#updated = true;
  }

  /** The merged value, frozen; undefined when nobody has it. `[]` reads the whole tree. */
  read(path: SettingsPath): unknown {
    const revision = this.revision;
    if (this.#merged?.revision !== revision) {
      const lowest: unknown = this.#parent?.read([]) ?? {};
      const merged = this.#nodes.reduce((data: unknown, node) => mergeData(data, node.view), lowest);
      this.#merged = { revision, data: deepFreeze(isSettingsData(merged) ? merged : {}) };
    }
    return readPath(this.#merged.data, path);
  }

  /**
   * Gives the value to the strongest node that holds the key or takes all; `undefined` deletes it there. False when nobody
   * takes it. Throws a TypeError for an empty path, kind `settings` for what is not JSON or a file that does not parse.
   */
  write(path: SettingsPath, value: unknown): boolean {
    if (path.length === 0)
      throw new TypeError("SettingsStore.write: the path is empty; name the key to write.");
    if (this.#closed) throw new EnvError("closed", "SettingsStore.write: the store is closed.", {});
    const control = path.find(isControlKey);
    if (control !== undefined) {
      throw new EnvError("settings", `The key "${control}" is not allowed in settings.`, {
        key: path.join("."),
      });
    }
    const copy = value === undefined ? undefined : jsonCopy(value, path);
    const taker = this.#nodes.findLast((node) => node.takes(path, copy));
    if (taker === undefined) return this.#parent?.write(path, value) ?? false;
    taker.write(path, copy);
    this.#revision += 1;
    this.#updated = true;
    return true;
  }

  /** Reads the files that changed. What cannot be read or does not parse stands in `nodes[i].file.problem`. */
  async poll(): Promise<void> {
    const read = await Promise.all(
      this.#nodes.map(async ({ file }) => ((await file?.load()) === true ? file?.file : undefined)),
    );
    const files = read.filter((file) => file !== undefined);
    if (files.length > 0) {
      this.#revision += 1;
      this.#updated = true;
    }
    this.#notify("loaded", files);
    this.#endRound(files);
  }

  /** Writes changed files, the parent's too unless told not to. Rejects with kind `settings` after every file had its turn. */
  async save(options: { readonly parent?: boolean } = {}): Promise<void> {
    const attempts = await Promise.allSettled(this.#nodes.map(async ({ file }) => file?.save()));
    const files = this.#nodes.flatMap(({ file }, index) => {
      const attempt = attempts[index];
      return file !== undefined && attempt?.status === "fulfilled" && attempt.value === true
        ? [file.file]
        : [];
    });
    if (files.length > 0) this.#revision += 1;
    this.#notify("saved", files);
    this.#endRound(files);
    const failures = attempts.flatMap((attempt): unknown[] =>
      attempt.status === "rejected" ? [attempt.reason] : [],
    );
    if (options.parent !== false) {
      await this.#parent?.save().catch((error: unknown) => {
        failures.push(error);
      });
    }
    if (failures.length > 1) throw combined(failures);
    if (failures.length === 1) throw failures[0];
  }

  /** Releases this store only; what was not saved is dropped. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
  }

  onNotice(notice: SettingsNotice, listener: Listener): number {
    this.#handle += 1;
    this.#listeners.set(this.#handle, { notice, listener });
    return this.#handle;
  }

  offNotice(handle: number): boolean {
    return this.#listeners.delete(handle);
  }

  #endRound(files: readonly string[]): void {
    if (!this.#updated) return;
    this.#updated = false;
    this.#notify("updated", files);
  }

  #notify(notice: SettingsNotice, files: readonly string[]): void {
    for (const entry of [...this.#listeners.values()]) if (entry.notice === notice) entry.listener({ files });
  }
}

function combined(failures: readonly unknown[]): EnvError {
  const messages = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  return new EnvError("settings", messages.join("\n"), {}, { cause: new AggregateError(failures) });
}
