import { ENTRY_KINDS, type EntryKind, type SessionEntry } from "./entry.js";
import { wrongArgument } from "./session-error.js";

/** Which entries of a session's log are wanted; oldest first. */
export interface LogQuery {
  /** Only entries behind this `seq`. */
  readonly afterSeq?: number;
  readonly kinds?: readonly EntryKind[];
  readonly lane?: string;
  /** At least 1. */
  readonly limit?: number;
}

/** Throws kind `usage` for a query that makes no sense, whatever the session holds. */
export function checkLogQuery({ afterSeq, kinds, lane, limit }: LogQuery): void {
  if (afterSeq !== undefined && !(Number.isSafeInteger(afterSeq) && afterSeq >= 0)) {
    throw wrongArgument("afterSeq", `expected an integer of at least 0, got ${String(afterSeq)}`);
  }
  checkKinds(kinds);
  if (lane === "") throw wrongArgument("lane", "expected a name that is not empty");
  checkLimit(limit);
}

export function checkKinds(kinds: readonly string[] | undefined): void {
  for (const kind of kinds ?? []) {
    if (ENTRY_KINDS.includes(kind)) continue;
    throw wrongArgument(
      "kinds",
      `no entry is of the kind ${JSON.stringify(kind)}; known: ${ENTRY_KINDS.join(", ")}`,
    );
  }
}

export function checkLimit(limit: number | undefined): void {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit > 0)) return;
  throw wrongArgument("limit", `expected an integer of at least 1, got ${String(limit)}`);
}

/** Yields what the query asks for and stops at its limit. */
export async function* selectEntries(
  entries: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
  query: LogQuery,
): AsyncGenerator<SessionEntry, void, undefined> {
  checkLogQuery(query);
  const { afterSeq = 0, kinds, lane, limit = Number.POSITIVE_INFINITY } = query;
  let count = 0;
  for await (const entry of entries) {
    if (entry.seq <= afterSeq) continue;
    if (kinds !== undefined && !kinds.includes(entry.kind)) continue;
    if (lane !== undefined && (entry.lane ?? "main") !== lane) continue;
    yield entry;
    count += 1;
    if (count >= limit) return;
  }
}
