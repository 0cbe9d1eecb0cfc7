import { malformed } from "../context-error.js";
import {
  type EntryBase,
  isPathEntry,
  type LeafReason,
  MAIN_LANE,
  type PathEntry,
  type SessionEntry,
} from "./entry.js";
import { type Projected, project } from "./projection.js";

/** What a compaction left of a long past: a tree may begin here instead of at the root. */
interface Base {
  readonly shown: Projected;
  readonly leaf: string | null;
}

const ROOT: Base = { shown: { items: [], sources: [] }, leaf: null };

/** The append-only tree of a session: which entries there are, the path to a lane's leaf, where undo and redo lead. */
export class SessionTree {
  readonly #lane: string;
  /** The leaves of the other lanes. */
  readonly #lanes = new Map<string, string | null>();
  #base = ROOT;
  /** From the base to the leaf. */
  #path: PathEntry[] = [];
  /** Entries of other branches. */
  #others: PathEntry[] = [];
  /** Leaves to go back to; null is the empty tree. */
  readonly #undo: (string | null)[] = [];
  readonly #redo: (string | null)[] = [];
  #seq = 0;

  constructor(lane: string) {
    this.#lane = lane;
    if (lane !== MAIN_LANE) this.#lanes.set(MAIN_LANE, null);
  }

  /** The `seq` of the newest entry; 0 when there is none. */
  get seq(): number {
    return this.#seq;
  }

  get path(): readonly PathEntry[] {
    return this.#path;
  }

  /** What is shown before the path begins. */
  get base(): Projected {
    return this.#base.shown;
  }

  get leaf(): string | null {
    return this.#path.at(-1)?.id ?? this.#base.leaf;
  }

  /** Every lane and its leaf; `main` always exists. */
  get lanes(): ReadonlyMap<string, string | null> {
    return new Map([...this.#lanes, [this.#lane, this.leaf]]);
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
    if (isPathEntry(entry)) this.#grow(entry);
    else if (entry.kind === "leaf") this.#moveLane(entry, entry.to, entry.reason);
    this.#seq = entry.seq;
  }

  /** True for the base, the root and every entry of a path that is held here. */
  has(id: string | null): boolean {
    if (id === null || id === this.#base.leaf) return this.#base.leaf === id;
    return this.#path.some((entry) => entry.id === id) || this.#others.some((entry) => entry.id === id);
  }

  /** The branch that ends in this entry, as far as it is held here; undefined for an entry that is not. */
  branch(leaf: string | null = this.leaf): readonly PathEntry[] | undefined {
    return leaf === this.leaf ? this.#path : this.#pathTo(leaf, [...this.#path, ...this.#others]);
  }

  /** Forgets what lies behind the leaf's compaction and begins there; undo goes no further back. */
  begin(): void {
    this.#base = { shown: project(this.#path, this.#base.shown), leaf: this.leaf };
    this.#path = [];
    this.#others = [];
    this.#undo.length = 0;
    this.#redo.length = 0;
  }

  #grow(entry: PathEntry): void {
    if ((entry.lane ?? MAIN_LANE) !== this.#lane) {
      this.#lanes.set(entry.lane ?? MAIN_LANE, entry.id);
      this.#others.push(entry);
      return;
    }
    const from = this.leaf;
    if (entry.parent !== from) this.#move(entry.parent, entry.id);
    this.#path.push(entry);
    this.#remember(entry.joined === true ? "joined" : "change", from);
  }

  #moveLane(entry: EntryBase, to: string | null, reason: LeafReason): void {
    if ((entry.lane ?? MAIN_LANE) !== this.#lane) {
      this.#lanes.set(entry.lane ?? MAIN_LANE, to);
      return;
    }
    const from = this.leaf;
    this.#move(to, entry.id);
    this.#remember(
      entry.joined === true && (reason === "rollback" || reason === "move") ? "joined" : reason,
      from,
    );
  }

  #move(to: string | null, mover: string): void {
    const position = to === this.#base.leaf ? -1 : this.#path.findLastIndex(({ id }) => id === to);
    if (to === this.#base.leaf || position >= 0) {
      for (const entry of this.#path.splice(position + 1)) this.#others.push(entry);
      return;
    }
    const entries = [...this.#path, ...this.#others];
    const path = this.#pathTo(to, entries);
    if (path === undefined)
      throw malformed(`entry ${mover}`, `it names the entry ${to}, which is not in the session`);
    const onPath = new Set(path);
    this.#path = path;
    this.#others = entries.filter((entry) => !onPath.has(entry));
  }

  /** Undefined when the way does not lead to the base: an entry is not held here, or the parents form a cycle. */
  #pathTo(leaf: string | null, entries: readonly PathEntry[]): PathEntry[] | undefined {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const path: PathEntry[] = [];
    let id = leaf;
    while (id !== this.#base.leaf) {
      const entry = id === null ? undefined : byId.get(id);
      if (entry === undefined || path.length > entries.length) return undefined;
      path.push(entry);
      id = entry.parent;
    }
    return path.reverse();
  }

  #remember(reason: LeafReason | "change" | "joined", from: string | null): void {
    if (reason === "undo") {
      this.#undo.pop();
      this.#redo.push(from);
    } else if (reason === "redo") {
      this.#redo.pop();
      this.#undo.push(from);
    } else if (reason === "cancel") this.#undo.pop();
    else {
      if (reason !== "joined") this.#undo.push(from);
      this.#redo.length = 0;
    }
  }
}
