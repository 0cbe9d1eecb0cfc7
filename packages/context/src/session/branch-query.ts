import type { EntryKind, PathEntry } from "./entry.js";
import { checkKinds, checkLimit } from "./log-query.js";
import { wrongArgument } from "./session-error.js";

/** A walk along a branch. */
export interface BranchQuery {
  /** Where the walk starts; default the leaf. */
  readonly from?: string;
  readonly kinds?: readonly EntryKind[];
  /** Only custom entries of this name. */
  readonly customName?: string;
  /** Default `newest`: from the leaf to the root. */
  readonly order?: "newest" | "oldest";
  /** Goes on behind this entry, in the direction of the order. */
  readonly after?: string;
  /** The walk to the root ends here; the entry itself is given if it passes the filters. */
  readonly stopAt?: string;
  /** The same, for the first entry of a kind. */
  readonly stopAtKind?: EntryKind;
  /** At least 1. */
  readonly limit?: number;
}

/**
 * The entries of one branch that pass the filters. Throws kind `usage` for a query that makes no sense or names an
 * entry that is not on the branch.
 */
export function queryBranch(branch: readonly PathEntry[], query: BranchQuery): readonly PathEntry[] {
  checkBranchQuery(query);
  const walk = stopped(branch.toReversed(), query);
  const ordered = query.order === "oldest" ? walk.toReversed() : walk;
  const { kinds, customName, limit } = query;
  return behind(ordered, query.after)
    .filter((entry) => kinds === undefined || kinds.includes(entry.kind))
    .filter((entry) => customName === undefined || (entry.kind === "custom" && entry.name === customName))
    .slice(0, limit);
}

/** Throws kind `usage`, whatever the session holds. */
export function checkBranchQuery({ kinds, order, stopAtKind, limit }: BranchQuery): void {
  checkKinds(kinds);
  if (stopAtKind !== undefined) checkKinds([stopAtKind]);
  if (order !== undefined && order !== "newest" && order !== "oldest") {
    throw wrongArgument("order", `expected "newest" or "oldest", got ${JSON.stringify(order)}`);
  }
  checkLimit(limit);
}

function stopped(walk: readonly PathEntry[], { stopAt, stopAtKind }: BranchQuery): readonly PathEntry[] {
  if (stopAt !== undefined && !walk.some(({ id }) => id === stopAt)) throw notOnBranch("stopAt", stopAt);
  const end = walk.findIndex(({ id, kind }) => id === stopAt || kind === stopAtKind);
  return end < 0 ? walk : walk.slice(0, end + 1);
}

function behind(entries: readonly PathEntry[], after: string | undefined): readonly PathEntry[] {
  if (after === undefined) return entries;
  const position = entries.findIndex(({ id }) => id === after);
  if (position < 0) throw notOnBranch("after", after);
  return entries.slice(position + 1);
}

function notOnBranch(argument: string, id: string): Error {
  return wrongArgument(argument, `the entry ${id} is not on this branch`);
}
