import type { ContextItem, PathEntry } from "@ashlar/context";

/** Why an item is there: it was said, put in the place of another, put before all others, or sums up what came before. */
export type ItemOrigin = "said" | "edited" | "prepended" | "compaction" | "branch summary";

export interface BranchItem {
  /** The entry that it came from. */
  readonly entry: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly origin: ItemOrigin;
  readonly item: ContextItem;
}

/**
 * What a branch says to people: unlike what a model sees, a compaction hides nothing and stands where it was made, and
 * nothing is merged. Edits and removals count.
 */
export function branchItems(entries: readonly PathEntry[]): readonly BranchItem[] {
  let items: BranchItem[] = [];
  const add = (entry: PathEntry, origin: ItemOrigin, item: ContextItem): void => {
    items.push({ entry: entry.id, at: entry.at, origin, item });
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case "message":
        add(entry, "said", entry.message);
        break;
      case "record":
        add(entry, "said", entry.record);
        break;
      case "compaction":
        add(entry, "compaction", entry.summary);
        break;
      case "summary":
        add(entry, "branch summary", entry.message);
        break;
      case "prepend":
        items.unshift({ entry: entry.id, at: entry.at, origin: "prepended", item: entry.item });
        break;
      case "edit":
        items = edited(items, new Set(entry.targets), {
          entry: entry.id,
          at: entry.at,
          origin: "edited",
          item: entry.item,
        });
        break;
      case "remove": {
        const targets = new Set(entry.targets);
        items = items.filter((item) => !targets.has(item.entry));
        break;
      }
      case "custom":
    }
  }
  return items;
}

/** Puts the item in the place of the last target; targets that are gone (a damaged session) change nothing. */
function edited(items: readonly BranchItem[], targets: ReadonlySet<string>, item: BranchItem): BranchItem[] {
  const last = items.findLastIndex(({ entry }) => targets.has(entry));
  return items.flatMap((old, position) => {
    if (position === last) return [item];
    return targets.has(old.entry) ? [] : [old];
  });
}
