import {
  checkLogQuery,
  type JournalEntry,
  MAIN_LANE,
  reduceJournal,
  type SessionEntry,
} from "@ashlar/context";
import type { Turn } from "./store-turns.js";
import { journalEvent, suiteRecord } from "./suite-record.js";
import { SuiteError, type SuiteRecord, type SuiteRecordQuery } from "./suite-shapes.js";

const isJournal = (entry: SessionEntry): entry is JournalEntry => entry.kind === "journal";
const laneOf = (entry: SessionEntry): string => entry.lane ?? MAIN_LANE;

/**
 * Kept as a line that came from elsewhere, such as an import: a Context would refuse one that does not follow from the
 * lines before it, a store keeps it and the reducer says what it means.
 */
export async function appendRecord(
  { store, log, context }: Turn,
  record: Readonly<Record<string, unknown>>,
): Promise<SuiteRecord> {
  const event = journalEvent(record);
  if (event === undefined)
    throw new SuiteError("storage", `the journal has no word for ${String(record.type)}`);
  const lane = String(record.lane);
  const line: JournalEntry = {
    id: String(record.id),
    seq: (log.at(-1)?.seq ?? 0) + 1,
    parent: context.leaf,
    at: Date.now(),
    kind: "journal",
    event,
    ...(lane !== MAIN_LANE && { lane }),
  };
  const { problems } = reduceJournal([...log.filter((entry) => laneOf(entry) === lane), line]);
  const second = problems.find(({ entry, reason }) => entry === line.id && reason === "second_operation");
  if (second !== undefined) throw new SuiteError("storage", second.message);
  await store.append([line]);
  return suiteRecord(line);
}

export function findRecords({ log }: Turn, query: SuiteRecordQuery): SuiteRecord[] {
  const { lane, type, runId, operationKind, order, limit, afterSeq = 0 } = query;
  checkLogQuery({ afterSeq, ...(limit !== undefined && { limit }) });
  if (operationKind !== undefined && type !== "operation_started")
    throw new SuiteError("invalid_query", "operationKind without its type");
  const records = log
    .filter(isJournal)
    .filter((entry) => entry.seq > afterSeq)
    .filter((entry) => lane === undefined || laneOf(entry) === lane)
    .filter(({ event }) => runId === undefined || ("operation" in event && event.operation === runId))
    .map(suiteRecord)
    .filter((record) => type === undefined || record.type === type)
    .filter((record) => operationKind === undefined || Object(record).intent.kind === operationKind);
  return (order === "oldestFirst" ? records : records.reverse()).slice(0, limit);
}

/** By our reducer: at most one. */
export function openOperations({ log }: Turn, lane: string): SuiteRecord[] {
  const entries = log.filter((entry) => laneOf(entry) === lane);
  const { open } = reduceJournal(entries);
  return entries
    .filter(isJournal)
    .filter(({ event }) => event.type === "operation_started" && event.operation === open?.id)
    .map(suiteRecord);
}
