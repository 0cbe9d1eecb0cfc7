import { foldMessage, isMergeable, mergeMessages } from "../message/merge.js";
import type { ContextItem, Message } from "../message.js";
import { headLength, liveToolState } from "./compaction.js";
import type { CompactionEntry, PathEntry } from "./entry.js";

/** The entries that make up one position; more than one where messages merged. */
export type Sources = PathEntry | readonly PathEntry[];

/** What a path of entries shows: the items, and for each position the entries it came from. */
export interface Projected {
  readonly items: readonly ContextItem[];
  readonly sources: readonly Sources[];
}

/** Pure: the same path always gives the same items. `base` is what was shown before the path begins. */
export function project(path: readonly PathEntry[], base?: Projected): Projection {
  const projection = new Projection(base);
  for (const entry of path) projection.apply(entry);
  return projection;
}

/** A projection that grows by one entry at a time, so that an append does not look at what came before. */
export class Projection implements Projected {
  items: ContextItem[];
  sources: Sources[];

  constructor(base: Projected = { items: [], sources: [] }) {
    this.items = [...base.items];
    this.sources = [...base.sources];
  }

  apply(entry: PathEntry): void {
    switch (entry.kind) {
      case "message":
        this.#append(foldMessage(entry.message), entry, entry.merge !== false);
        return;
      case "record":
        this.#push(entry.record, entry);
        return;
      case "summary":
        this.#push(entry.message, entry);
        return;
      case "prepend":
        this.items.unshift(entry.item);
        this.sources.unshift(entry);
        return;
      case "edit":
        this.#edit(entry.targets, entry.item, entry);
        return;
      case "remove":
        this.#remove(new Set(entry.targets));
        return;
      case "compaction":
        this.#compact(entry);
        return;
      case "custom":
    }
  }

  /** Drops the positions from here on. */
  truncate(length: number): void {
    this.items.length = length;
    this.sources.length = length;
  }

  #push(item: ContextItem, entry: PathEntry): void {
    this.items.push(item);
    this.sources.push(entry);
  }

  #append(message: Message, entry: PathEntry, mayMerge: boolean): void {
    const last = this.items.length - 1;
    const before = this.items[last];
    const source = this.sources[last];
    if (mayMerge && source !== undefined && takesMore(source) && isMergeable(before, message)) {
      this.items[last] = mergeMessages(before, message);
      this.sources[last] = [...entriesOf(source), entry];
      return;
    }
    this.#push(message, entry);
  }

  /** An edit whose targets are gone (a damaged session) changes nothing. */
  #edit(targets: readonly string[], item: ContextItem, entry: PathEntry): void {
    const position = this.sources.findLastIndex((source) =>
      entriesOf(source).some(({ id }) => targets.includes(id)),
    );
    if (position < 0) return;
    this.items[position] = item;
    this.sources[position] = entry;
  }

  #remove(targets: ReadonlySet<string>): void {
    const kept = this.sources.map((source) => !entriesOf(source).some(({ id }) => targets.has(id)));
    this.items = this.items.filter((_, position) => kept[position]);
    this.sources = this.sources.filter((_, position) => kept[position]);
  }

  /** What tools keep stays. A compaction whose first kept entry is gone (a damaged session) hides nothing. */
  #compact(entry: CompactionEntry): void {
    const { firstKept, summary } = entry;
    const end =
      firstKept === null
        ? this.items.length
        : this.sources.findIndex((source) => entriesOf(source).some(({ id }) => id === firstKept));
    const head = headLength(this.items);
    const hidden = Math.max(0, end - head);
    const kept = liveToolState(this.items, head, head + hidden);
    const { items, sources } = this;
    this.items = [...items.slice(0, head), summary, ...pick(items, kept), ...items.slice(head + hidden)];
    this.sources = [
      ...sources.slice(0, head),
      entry,
      ...pick(sources, kept),
      ...sources.slice(head + hidden),
    ];
  }
}

function pick<T>(list: readonly T[], positions: readonly number[]): readonly T[] {
  return list.filter((_, position) => positions.includes(position));
}

/** A summary stays as its maker wrote it. */
export function takesMore(source: Sources): boolean {
  return entriesOf(source).every(({ kind }) => kind !== "compaction" && kind !== "summary");
}

export function entriesOf(source: Sources): readonly PathEntry[] {
  return isList(source) ? source : [source];
}

function isList(source: Sources): source is readonly PathEntry[] {
  return Array.isArray(source);
}
