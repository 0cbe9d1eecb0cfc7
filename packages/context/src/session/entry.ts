import type { JsonValue } from "../json.js";
import type { ContextItem, ContextRecord, Message } from "../message.js";
import type { JournalEvent } from "./journal.js";

/** The lane that every session has; an entry that names none is on it. */
export const MAIN_LANE = "main";

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
  /** Absent: `main`. */
  readonly lane?: string;
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

/** Shows `summary` in the place of what stands before the first kept item; system messages at the head stay, and so do the newest `tool:` records. */
export interface CompactionEntry extends EntryBase {
  readonly kind: "compaction";
  /** An entry of the first item that stays; null when none does. */
  readonly firstKept: string | null;
  readonly summary: Message;
  /** For who made the summary, such as the files that were read. */
  readonly details?: JsonValue;
}

/** Shows what happened on a branch that was left at the entry `from`. */
export interface SummaryEntry extends EntryBase {
  readonly kind: "summary";
  readonly from: string;
  readonly message: Message;
  readonly details?: JsonValue;
}

/** Data of a host or an extension; shows nothing. */
export interface CustomEntry extends EntryBase {
  readonly kind: "custom";
  readonly name: string;
  readonly data: JsonValue;
}

/** `cancel` takes a batch of changes back and leaves no step to undo; `move` goes to another branch, or makes a lane. */
export type LeafReason = "rollback" | "undo" | "redo" | "cancel" | "move";

/** Moves the lane's leaf; the next entry grows from `to`. It lies on no path itself. */
export interface LeafEntry extends EntryBase {
  readonly kind: "leaf";
  readonly to: string | null;
  readonly reason: LeafReason;
}

/** Names an entry for people; the last one counts, null takes the label away. */
export interface LabelEntry extends EntryBase {
  readonly kind: "label";
  readonly target: string;
  readonly text: string | null;
}

/** Names the session; the last one counts, null takes the name away. */
export interface NameEntry extends EntryBase {
  readonly kind: "name";
  readonly name: string | null;
}

export interface JournalEntry extends EntryBase {
  readonly kind: "journal";
  readonly event: JournalEvent;
}

/** An entry that lies on a path from the root to a leaf. */
export type PathEntry =
  | MessageEntry
  | RecordEntry
  | EditEntry
  | RemoveEntry
  | PrependEntry
  | CompactionEntry
  | SummaryEntry
  | CustomEntry;
/** An entry beside the paths; `parent` says where the leaf stood. */
export type SideEntry = LabelEntry | NameEntry | JournalEntry;
export type SessionEntry = PathEntry | LeafEntry | SideEntry;
export type EntryKind = SessionEntry["kind"];

/** A change before it is stamped and becomes an entry. */
export type Change = Unstamped<PathEntry>;
export type SideChange = Unstamped<SideEntry>;
type Unstamped<Entry> = Entry extends SessionEntry ? Omit<Entry, keyof EntryBase> : never;

const PATH_KINDS: Readonly<Record<EntryKind, boolean>> = {
  message: true,
  record: true,
  edit: true,
  remove: true,
  prepend: true,
  compaction: true,
  summary: true,
  custom: true,
  leaf: false,
  label: false,
  name: false,
  journal: false,
};

export const ENTRY_KINDS: readonly string[] = Object.keys(PATH_KINDS);

export function isPathEntry(entry: SessionEntry): entry is PathEntry {
  return PATH_KINDS[entry.kind];
}
