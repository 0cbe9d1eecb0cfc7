import { ContextError } from "../context-error.js";
import type { Change, EntryBase, LeafReason, PathEntry, SessionEntry } from "./entry.js";
import { validateEntry } from "./load.js";
import { entriesOf, type Projected, project } from "./projection.js";
import { rollbackLength } from "./rollback.js";
import type { SessionStore } from "./store.js";
import { SessionTree } from "./tree.js";
import { type Clock, createUuid7, type Randomness } from "./uuid.js";
import { SessionWriter } from "./writer.js";

export interface SessionOptions {
  readonly store: SessionStore | undefined;
  readonly entries: readonly unknown[];
  readonly now: Clock;
  readonly random: Randomness;
}

/** Keeps the tree, what its path shows, and what the store still has to take, in step. */
export class Session {
  readonly #tree = new SessionTree();
  readonly #writer: SessionWriter;
  readonly #now: Clock;
  readonly #nextId: () => string;
  #projection = project([]);
  /** Entries up to this `seq` were part of a request. */
  #sealedSeq = 0;
  #step: "none" | "first" | "more" = "none";

  constructor({ store, entries, now, random }: SessionOptions) {
    this.#writer = new SessionWriter(store);
    this.#now = now;
    this.#nextId = createUuid7(now, random);
    entries.forEach((entry, index) => {
      this.#tree.add(validateEntry(entry, `entries[${index}]`));
    });
    this.#project();
    this.seal();
  }

  get shown(): Projected {
    return this.#projection;
  }

  newId(): string {
    return this.#nextId();
  }

  checkWritable(): void {
    this.#writer.checkWritable();
  }

  /** Adds an entry at the leaf. */
  grow(change: Change): void {
    this.checkWritable();
    const entry = Object.freeze(stamped(this.#stamp(), change));
    this.#add(entry);
    this.#projection.apply(entry);
  }

  /** Drops the positions from here on: by moving the leaf where that is enough, else by an entry that names them. */
  cut(position: number): void {
    this.checkWritable();
    const { sources } = this.#projection;
    const length = rollbackLength(this.#tree.path, sources, position);
    if (length === undefined) {
      this.grow({
        kind: "remove",
        targets: sources
          .slice(position)
          .flatMap(entriesOf)
          .map(({ id }) => id),
      });
      return;
    }
    this.#moveLeaf(this.#tree.path[length - 1]?.id ?? null, "rollback");
    this.#projection.truncate(position);
  }

  /** One step back or forth; false when there is none. */
  travel(reason: "undo" | "redo"): boolean {
    this.checkWritable();
    if (this.#step !== "none") throw new ContextError("usage", `${reason} is not possible inside update`, {});
    const to = this.#tree.next(reason);
    if (to === undefined) return false;
    this.#moveLeaf(to, reason);
    this.#project();
    return true;
  }

  /** Makes the changes of `change` one step of undo; false or a throw takes them back. Inside another batch it is part of that one. */
  batch(change: () => boolean): boolean {
    if (this.#step !== "none") return change();
    const before = this.#tree.leaf;
    this.#step = "first";
    let isKept = false;
    try {
      isKept = change();
      return isKept;
    } finally {
      if (!isKept && this.#hasBatchEntries()) {
        this.#moveLeaf(before, "cancel");
        this.#project();
      }
      this.#step = "none";
    }
  }

  seal(): void {
    this.#sealedSeq = this.#tree.seq;
  }

  /** True when the item was part of a request. */
  isSealed(position: number): boolean {
    const source = this.#projection.sources[position];
    const newest = source === undefined ? undefined : entriesOf(source).at(-1);
    return newest !== undefined && newest.seq <= this.#sealedSeq;
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  /** Asked after foreign code has run, so what was assigned before does not count. */
  #hasBatchEntries(): boolean {
    return this.#step === "more";
  }

  #project(): void {
    this.#projection = project(this.#tree.path);
  }

  #moveLeaf(to: string | null, reason: LeafReason): void {
    this.#add(Object.freeze({ ...this.#stamp(), kind: "leaf", to, reason }));
  }

  #add(entry: SessionEntry): void {
    this.#tree.add(entry);
    this.#writer.push(entry);
    if (this.#step === "first") this.#step = "more";
  }

  #stamp(): EntryBase {
    const stamp = { id: this.#nextId(), seq: this.#tree.seq + 1, parent: this.#tree.leaf, at: this.#now() };
    return this.#step === "more" ? { ...stamp, joined: true } : stamp;
  }
}

/** Written out for the kind that there are thousands of: an object that is spread together takes twice the memory. */
function stamped(stamp: EntryBase, change: Change): PathEntry {
  if (change.kind === "message" && change.merge === undefined && stamp.joined === undefined) {
    const { id, seq, parent, at } = stamp;
    return { id, seq, parent, at, kind: "message", message: change.message };
  }
  return { ...stamp, ...change };
}
