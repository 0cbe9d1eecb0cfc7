import { ContextError } from "../context-error.js";
import type { BranchQuery } from "./branch-query.js";
import { queryBranch } from "./branch-query.js";
import {
  type Change,
  type EntryBase,
  type LeafReason,
  MAIN_LANE,
  type PathEntry,
  type SessionEntry,
  type SideChange,
} from "./entry.js";
import { loadEntry } from "./load.js";
import { entriesOf, type Projected, project, takesMore } from "./projection.js";
import { rollbackLength } from "./rollback.js";
import { wrongArgument } from "./session-error.js";
import { SessionLog } from "./session-log.js";
import type { CommitOptions, SessionStore } from "./store.js";
import { type Clock, createUuid7, type Randomness } from "./uuid.js";
import { SessionWriter } from "./writer.js";

export interface SessionOptions {
  readonly store: SessionStore | undefined;
  readonly entries: readonly unknown[];
  /** What was loaded; `entries` are then not looked at. */
  readonly log: SessionLog | undefined;
  readonly now: Clock;
  readonly random: Randomness;
}

/** Keeps the log, what its path shows, and what the store still has to take, in step. */
export class Session {
  readonly log: SessionLog;
  readonly #writer: SessionWriter;
  readonly #now: Clock;
  readonly #nextId: () => string;
  #projection = project([]);
  /** Entries up to this `seq` were part of a request. */
  #sealedSeq = 0;
  #step: "none" | "first" | "more" = "none";

  constructor({ store, entries, log, now, random }: SessionOptions) {
    this.#writer = new SessionWriter(store);
    this.#now = now;
    this.#nextId = createUuid7(now, random);
    this.log = log ?? logOf(entries);
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
    const entry = Object.freeze(stamped(this.#stampStep(), change));
    this.#add(entry);
    this.#projection.apply(entry);
  }

  /** Adds an entry beside the tree; undo does not touch it. */
  note(change: SideChange): void {
    this.checkWritable();
    this.#write(Object.freeze({ ...this.#stamp(), ...change }));
  }

  /** Drops the positions from here on: by moving the leaf where that is enough, else by an entry that names them. */
  cut(position: number): void {
    this.checkWritable();
    const { sources } = this.#projection;
    const { path } = this.log.tree;
    const length = rollbackLength(path, sources, position);
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
    // A path that begins at a compaction grew from there.
    this.#moveLeaf(path[length - 1]?.id ?? path[0]?.parent ?? null, "rollback");
    this.#projection.truncate(position);
  }

  /** Goes to another branch, or back on this one. Throws kind `usage` for an entry that is not held here. */
  moveTo(id: string | null): void {
    this.checkWritable();
    if (!this.log.tree.has(id)) throw notHeld("id", id);
    this.#moveLeaf(id, "move");
    this.#project();
  }

  /** Makes another lane, or moves it. */
  moveLane(lane: string, to: string | null): void {
    this.checkWritable();
    if (lane === "" || lane === this.log.lane)
      throw wrongArgument("lane", "expected the name of another lane");
    if (!this.log.tree.has(to)) throw notHeld("to", to);
    this.#write(Object.freeze({ ...this.#stamp(), lane, kind: "leaf", to, reason: "move" }));
  }

  query({ from, ...query }: BranchQuery): readonly PathEntry[] {
    const branch = this.log.tree.branch(from);
    if (branch === undefined) throw notHeld("from", from ?? null);
    return queryBranch(branch, query);
  }

  /** One step back or forth; false when there is none. */
  travel(reason: "undo" | "redo"): boolean {
    this.checkWritable();
    if (this.#step !== "none") throw new ContextError("usage", `${reason} is not possible inside update`, {});
    const to = this.log.tree.next(reason);
    if (to === undefined) return false;
    this.#moveLeaf(to, reason);
    this.#project();
    return true;
  }

  /** Makes the changes of `change` one step of undo; false or a throw takes them back. Inside another batch it is part of that one. */
  batch(change: () => boolean): boolean {
    if (this.#step !== "none") return change();
    const before = this.log.tree.leaf;
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
    this.#sealedSeq = this.log.tree.seq;
  }

  /** True when nothing may merge into the item: it was part of a request, or it is a summary. */
  isSealed(position: number): boolean {
    const source = this.#projection.sources[position];
    const newest = source === undefined ? undefined : entriesOf(source).at(-1);
    if (source === undefined || newest === undefined) return false;
    return newest.seq <= this.#sealedSeq || !takesMore(source);
  }

  get stored(): boolean {
    return this.#writer.stored;
  }

  flush(options?: CommitOptions): Promise<void> {
    return this.#writer.flush(options);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  /** Asked after foreign code has run, so what was assigned before does not count. */
  #hasBatchEntries(): boolean {
    return this.#step === "more";
  }

  #project(): void {
    const { path, base } = this.log.tree;
    this.#projection = project(path, base);
  }

  #moveLeaf(to: string | null, reason: LeafReason): void {
    this.#add(Object.freeze({ ...this.#stampStep(), kind: "leaf", to, reason }));
  }

  #add(entry: SessionEntry): void {
    this.#write(entry);
    if (this.#step === "first") this.#step = "more";
  }

  #write(entry: SessionEntry): void {
    this.log.add(entry);
    this.#writer.push(entry);
  }

  #stampStep(): EntryBase {
    const stamp = this.#stamp();
    return this.#step === "more" ? { ...stamp, joined: true } : stamp;
  }

  #stamp(): EntryBase {
    const { tree, lane } = this.log;
    const stamp = { id: this.#nextId(), seq: tree.seq + 1, parent: tree.leaf, at: this.#now() };
    return lane === MAIN_LANE ? stamp : { ...stamp, lane };
  }
}

function logOf(entries: readonly unknown[]): SessionLog {
  const log = new SessionLog();
  entries.forEach((entry, index) => {
    log.add(loadEntry(entry, `entries[${index}]`));
  });
  return log;
}

function notHeld(argument: string, id: string | null): Error {
  return wrongArgument(
    argument,
    `the entry ${String(id)} is not held here; a session that was opened without \`whole\` begins at its newest compaction`,
  );
}

/** Written out for the kind that there are thousands of: an object that is spread together takes twice the memory. */
function stamped(stamp: EntryBase, change: Change): PathEntry {
  if (
    change.kind === "message" &&
    change.merge === undefined &&
    stamp.joined === undefined &&
    stamp.lane === undefined
  ) {
    const { id, seq, parent, at } = stamp;
    return { id, seq, parent, at, kind: "message", message: change.message };
  }
  return { ...stamp, ...change };
}
