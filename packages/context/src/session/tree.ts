import { malformed } from "../context-error.js";
import type { PathEntry, SessionEntry } from "./entry.js";

/** The append-only tree of a session: which entries there are, the path to the leaf, and where undo and redo lead. */
export class SessionTree {
  /** From the root to the leaf. */
  #path: PathEntry[] = [];
  /** Entries of other branches. */
  #others: PathEntry[] = [];
  /** Leaves to go back to; null is the empty tree. */
  readonly #undo: (string | null)[] = [];
  readonly #redo: (string | null)[] = [];
  #seq = 0;

  /** The `seq` of the newest entry; 0 when there is none. */
  get seq(): number {
    return this.#seq;
  }

  get path(): readonly PathEntry[] {
    return this.#path;
  }

  get leaf(): string | null {
    return this.#path.at(-1)?.id ?? null;
  }

  /** The leaf that undo or redo leads to; undefined when there is no such step. */
  next(reason: "undo" | "redo"): string | null | undefined {
    return reason === "undo" ? this.#undo.at(-1) : this.#redo.at(-1);
  }

  /** Takes the next entry. Throws kind `malformed` for one that does not continue the tree. */
  add(entry: SessionEntry): void {
    if (!Number.isSafeInteger(entry.seq) || entry.seq <= this.#seq) {
      throw malformed(`entry ${entry.id}`, `expected a seq above ${this.#seq}, got ${entry.seq}`);
    }
    const from = this.leaf;
    if (entry.kind === "leaf") this.#move(entry.to, entry.id);
    else this.#grow(entry);
    this.#seq = entry.seq;
    this.#remember(entry, from);
  }

  #grow(entry: PathEntry): void {
    if (entry.parent !== this.leaf) this.#move(entry.parent, entry.id);
    this.#path.push(entry);
  }

  #move(to: string | null, mover: string): void {
    const position = to === null ? -1 : this.#path.findLastIndex(({ id }) => id === to);
    if (to === null || position >= 0) {
      for (const entry of this.#path.splice(position + 1)) this.#others.push(entry);
      return;
    }
    const entries = [...this.#path, ...this.#others];
    const path = pathTo(to, entries);
    if (path === undefined)
      throw malformed(`entry ${mover}`, `it names the entry ${to}, which is not in the session`);
    const onPath = new Set(path);
    this.#path = path;
    this.#others = entries.filter((entry) => !onPath.has(entry));
  }

  #remember(entry: SessionEntry, from: string | null): void {
    const reason = entry.kind === "leaf" ? entry.reason : "change";
    if (reason === "undo") {
      this.#undo.pop();
      this.#redo.push(from);
    } else if (reason === "redo") {
      this.#redo.pop();
      this.#undo.push(from);
    } else if (reason === "cancel") this.#undo.pop();
    else {
      if (entry.joined !== true) this.#undo.push(from);
      this.#redo.length = 0;
    }
  }
}

function pathTo(leaf: string, entries: readonly PathEntry[]): PathEntry[] | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: PathEntry[] = [];
  let id: string | null = leaf;
  while (id !== null) {
    const entry = byId.get(id);
    if (entry === undefined) return undefined;
    path.push(entry);
    id = entry.parent;
  }
  return path.reverse();
}
