import type { ContextItem, ContextRecord, Message } from "../message.js";

/** What every entry carries. */
export interface EntryBase {
  /** UUIDv7. */
  readonly id: string;
  /** Counts up by one over a session's entries, whatever their kind. */
  readonly seq: number;
  /** The entry this one grew from; null at the root. */
  readonly parent: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undone together with the entry before it. */
  readonly joined?: true;
}

/** `merge: false` keeps the message apart from the one before it. */
export interface MessageEntry extends EntryBase {
  readonly kind: "message";
  readonly message: Message;
  readonly merge?: false;
}

export interface RecordEntry extends EntryBase {
  readonly kind: "record";
  readonly record: ContextRecord;
}

/** Replaces the item that the `targets` make up. */
export interface EditEntry extends EntryBase {
  readonly kind: "edit";
  readonly targets: readonly string[];
  readonly item: ContextItem;
}

export interface RemoveEntry extends EntryBase {
  readonly kind: "remove";
  readonly targets: readonly string[];
}

/** Puts an item before all others. */
export interface PrependEntry extends EntryBase {
  readonly kind: "prepend";
  readonly item: ContextItem;
}

/** `cancel` takes a batch of changes back, so that it leaves no step to undo. */
export type LeafReason = "rollback" | "undo" | "redo" | "cancel";

/** Moves the leaf; the next entry grows from `to`. It lies on no path itself. */
export interface LeafEntry extends EntryBase {
  readonly kind: "leaf";
  readonly to: string | null;
  readonly reason: LeafReason;
}

/** An entry that lies on a path from the root to a leaf. */
export type PathEntry = MessageEntry | RecordEntry | EditEntry | RemoveEntry | PrependEntry;
export type SessionEntry = PathEntry | LeafEntry;

/** A change before it is stamped and becomes an entry. */
export type Change = Unstamped<PathEntry>;
type Unstamped<Entry> = Entry extends PathEntry ? Omit<Entry, keyof EntryBase> : never;
