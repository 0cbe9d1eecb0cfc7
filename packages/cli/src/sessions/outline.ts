import { isPathEntry, MAIN_LANE, type PathEntry, type SessionEntry } from "@ashlar/context";

/** A way from where it leaves another branch to its last entry. */
export interface Branch {
  /** Names of the lanes that end in it. */
  readonly lanes: readonly string[];
  /** Its own entries, oldest first; none where a lane ends inside another branch. */
  readonly entries: readonly PathEntry[];
  /** The entry of another branch that it grew from; null at the root. */
  readonly from: string | null;
  /** Branches that grew from this one, in the order in which they began. */
  readonly branches: readonly Branch[];
}

/** What stands in a session, apart from what it says. */
export interface Outline {
  /** The branches that begin at the root; the first one is what `main` shows. */
  readonly roots: readonly Branch[];
  /** Labels by entry. */
  readonly labels: ReadonlyMap<string, string>;
}

interface Growing {
  readonly lanes: string[];
  readonly entries: PathEntry[];
  readonly from: string | null;
  readonly branches: Growing[];
}

/** Sorts a session's entries into branches: `main` first, then the other lanes, then what was left behind, newest first. */
export function outlineOf(entries: readonly SessionEntry[]): Outline {
  const byId = new Map<string, PathEntry>();
  const inner = new Set<string>();
  const lanes = new Map<string, string | null>([[MAIN_LANE, null]]);
  const labels = new Map<string, string>();
  for (const entry of entries) {
    const lane = entry.lane ?? MAIN_LANE;
    if (isPathEntry(entry)) {
      byId.set(entry.id, entry);
      if (entry.parent !== null) inner.add(entry.parent);
      lanes.set(lane, entry.id);
    } else if (entry.kind === "leaf") lanes.set(lane, entry.to);
    else if (entry.kind === "label") {
      if (entry.text === null) labels.delete(entry.target);
      else labels.set(entry.target, entry.text);
    }
  }
  const left = [...byId.keys()].filter((id) => !inner.has(id)).reverse();
  return { roots: branchesOf(byId, lanes, left), labels };
}

/** Each end takes the entries on its way to the root that no end before it took. */
function branchesOf(
  byId: ReadonlyMap<string, PathEntry>,
  lanes: ReadonlyMap<string, string | null>,
  left: readonly string[],
): readonly Branch[] {
  const owners = new Map<string, Growing>();
  const roots: Growing[] = [];
  const grow = (end: string | null, lane: string | undefined): void => {
    const taken = end === null ? undefined : owners.get(end);
    if (taken !== undefined && taken.entries.at(-1)?.id === end) {
      if (lane !== undefined) taken.lanes.push(lane);
      return;
    }
    const own: PathEntry[] = [];
    let id = end;
    let entry = entryAt(byId, id);
    // More entries than there are: damaged data, whose parents form a ring.
    while (entry !== undefined && !owners.has(entry.id) && own.length < byId.size) {
      own.push(entry);
      id = entry.parent;
      entry = entryAt(byId, id);
    }
    const branch: Growing = {
      lanes: lane === undefined ? [] : [lane],
      entries: own.reverse(),
      from: id,
      branches: [],
    };
    const parent = id === null ? undefined : owners.get(id);
    (parent?.branches ?? roots).push(branch);
    for (const entry of own) owners.set(entry.id, branch);
  };
  for (const [lane, end] of lanes) grow(end, lane);
  for (const end of left) if (!owners.has(end)) grow(end, undefined);
  for (const branch of new Set(owners.values())) branch.branches.sort(byBeginning);
  return roots;
}

function entryAt(byId: ReadonlyMap<string, PathEntry>, id: string | null): PathEntry | undefined {
  return id === null ? undefined : byId.get(id);
}

function byBeginning(a: Growing, b: Growing): number {
  return (a.entries[0]?.seq ?? 0) - (b.entries[0]?.seq ?? 0);
}
