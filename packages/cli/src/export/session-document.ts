import {
  type SessionDamage,
  type SessionEntry,
  SessionFacts,
  type SessionInfo,
  type SessionStats,
} from "@ashlar/context";
import { type Branch, outlineOf } from "../sessions/outline.js";
import { type BranchItem, branchItems } from "./branch-items.js";

/** A session as it is read whole. */
export interface LoadedSession {
  readonly info: SessionInfo;
  readonly entries: readonly SessionEntry[];
  readonly damage: readonly SessionDamage[];
}

/** One branch for people. */
export interface DocumentBranch {
  /** Such as `main`, or `branch 2`. */
  readonly title: string;
  /** The entry of another branch that it grew from. */
  readonly from: string | null;
  readonly items: readonly BranchItem[];
}

/** A session for people: what every written form of it begins from. */
export interface SessionDocument {
  readonly info: SessionInfo;
  readonly stats: SessionStats;
  readonly damage: readonly SessionDamage[];
  readonly labels: ReadonlyMap<string, string>;
  /** What `main` shows comes first; the others only where they were asked for. */
  readonly branches: readonly [DocumentBranch, ...DocumentBranch[]];
}

export interface DocumentOptions {
  /** Also other lanes, and what was left behind by undo, rollback and moves. Default false. */
  readonly allBranches?: boolean;
}

export function sessionDocument(
  { info, entries, damage }: LoadedSession,
  { allBranches = false }: DocumentOptions = {},
): SessionDocument {
  const { roots, labels } = outlineOf(entries);
  const facts = new SessionFacts();
  for (const entry of entries) facts.apply(entry);
  const [main, ...others] = withBranches(roots).map(documentBranch);
  const shown = main ?? { title: "main", from: null, items: [] };
  return { info, stats: facts.stats, damage, labels, branches: [shown, ...(allBranches ? others : [])] };
}

/** Each branch before those that grew from it. */
export function withBranches(roots: readonly Branch[]): readonly Branch[] {
  const found: Branch[] = [];
  const waiting = [...roots].reverse();
  for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) {
    found.push(branch);
    for (const child of branch.branches.toReversed()) waiting.push(child);
  }
  return found;
}

function documentBranch({ lanes, entries, from }: Branch, position: number): DocumentBranch {
  const title = lanes.length > 0 ? lanes.join(", ") : `branch ${position + 1}`;
  return { title, from, items: branchItems(entries) };
}
