import { isPathEntry, MAIN_LANE, type SessionEntry } from "./entry.js";
import { wrongArgument } from "./session-error.js";

/** What a fork takes along. The journal never comes: usage starts at zero and nothing is resumed twice. */
export interface ForkTarget {
  /** `branch` (default): the way from the root to one entry. `tree`: every branch and lane. */
  readonly scope?: "branch" | "tree";
  /** The entry where the branch ends; default the leaf of `main`. */
  readonly entry?: string;
  /** Whether the entry itself comes along. Default `at`. */
  readonly position?: "at" | "before";
}

/** The entry that a branch fork ends in; null takes nothing. Throws kind `usage` for a target that is not there. */
export async function forkEnd(entries: AsyncIterable<SessionEntry>, target: ForkTarget): Promise<ForkPlan> {
  checkTarget(target);
  const parents = new Map<string, string | null>();
  let leaf: string | null = null;
  for await (const entry of entries) {
    if (isPathEntry(entry)) parents.set(entry.id, entry.parent);
    if ((entry.lane ?? MAIN_LANE) !== MAIN_LANE) continue;
    if (isPathEntry(entry)) leaf = entry.id;
    if (entry.kind === "leaf") leaf = entry.to;
  }
  if (target.scope === "tree") return { end: leaf, taken: undefined };
  const { entry = leaf, position = "at" } = target;
  if (entry !== null && !parents.has(entry))
    throw wrongArgument("entry", `the session has no entry ${entry} on a branch`);
  const end = position === "before" && entry !== null ? (parents.get(entry) ?? null) : entry;
  return { end, taken: pathOf(end, parents) };
}

export interface ForkPlan {
  readonly end: string | null;
  /** Ids of the entries that come along; undefined for all. */
  readonly taken: ReadonlySet<string> | undefined;
}

/** The entries of the fork, numbered from 1, ids and times as they were. */
export async function* forkedEntries(
  entries: AsyncIterable<SessionEntry>,
  { taken }: ForkPlan,
): AsyncGenerator<SessionEntry, void, undefined> {
  let seq = 0;
  for await (const entry of entries) {
    if (!isTaken(entry, taken)) continue;
    seq += 1;
    yield taken === undefined ? { ...entry, seq } : onMain({ ...entry, seq });
  }
}

function isTaken(entry: SessionEntry, taken: ReadonlySet<string> | undefined): boolean {
  if (entry.kind === "journal") return false;
  if (taken === undefined) return true;
  if (isPathEntry(entry)) return taken.has(entry.id);
  return entry.kind === "name" || (entry.kind === "label" && taken.has(entry.target));
}

/** A branch becomes the main lane of its fork; what stood beside it is not copied, so no parent may point there. */
function onMain({ lane: _, ...entry }: SessionEntry): SessionEntry {
  return isPathEntry(entry) ? entry : { ...entry, parent: null };
}

function pathOf(end: string | null, parents: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const path = new Set<string>();
  let id = end;
  // A set that takes no new member has met a cycle.
  while (id !== null && !path.has(id)) {
    path.add(id);
    id = parents.get(id) ?? null;
  }
  return path;
}

function checkTarget({ scope = "branch", entry, position = "at" }: ForkTarget): void {
  if (scope !== "branch" && scope !== "tree") throw wrongArgument("scope", `expected "branch" or "tree"`);
  if (position !== "at" && position !== "before")
    throw wrongArgument("position", `expected "at" or "before"`);
  if (scope === "tree" && entry !== undefined)
    throw wrongArgument("entry", "a fork of the whole tree has no end");
}
