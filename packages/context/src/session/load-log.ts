import { isContextError } from "../context-error.js";
import { isMessage } from "../message/guard.js";
import { type ContextItem, MessageType } from "../message.js";
import { isToolState } from "./compaction.js";
import type { CompactionEntry, SessionEntry } from "./entry.js";
import { MAIN_LANE } from "./entry.js";
import { frozenEntry } from "./load.js";
import { entriesOf } from "./projection.js";
import { SessionLog } from "./session-log.js";
import type { SessionStore } from "./store.js";

export interface LoadOptions {
  readonly lane: string;
  /** Keep also what lies behind the newest compaction. */
  readonly whole: boolean;
}

/**
 * Reads a session in one pass. Unless all of it is asked for, what a compaction hides is never held with its content,
 * so that the room this takes is that of what is shown.
 */
export async function loadLog(store: SessionStore, { lane, whole }: LoadOptions): Promise<SessionLog> {
  const compaction = whole ? undefined : await newestCompaction(store, lane);
  if (compaction !== undefined) {
    const log = await loadLean(store, lane, compaction);
    if (log !== undefined) return log;
  }
  const log = new SessionLog(lane);
  for await (const entry of store.read()) log.add(frozenEntry(entry, `entry ${entry.id}`));
  return log;
}

async function newestCompaction(store: SessionStore, lane: string): Promise<CompactionEntry | undefined> {
  let newest: CompactionEntry | undefined;
  for await (const entry of store.read({ kinds: ["compaction"], lane })) {
    if (entry.kind === "compaction") newest = entry;
  }
  return newest;
}

/** Undefined when something that was let go turns out to be needed, such as a branch from before the compaction. */
async function loadLean(
  store: SessionStore,
  lane: string,
  { id: end, firstKept }: CompactionEntry,
): Promise<SessionLog | undefined> {
  const log = new SessionLog(lane);
  const light = new WeakSet<SessionEntry>();
  let isPast = true;
  try {
    for await (const entry of store.read()) {
      // Ids sort by time. Where a clock stepped back this is wrong, and the check below notices.
      const isHidden =
        isPast && (firstKept === null || entry.id < firstKept) && (entry.lane ?? MAIN_LANE) === lane;
      const emptied = isHidden ? withoutContent(entry) : undefined;
      if (emptied !== undefined) light.add(emptied);
      log.addLean(emptied ?? frozenEntry(entry, `entry ${entry.id}`));
      if (entry.id === end) isPast = false;
    }
  } catch (error) {
    if (isContextError(error) && error.kind === "malformed") return undefined;
    throw error;
  }
  const shown = [...log.tree.base.sources.flatMap(entriesOf), ...log.tree.path];
  return shown.some((entry) => light.has(entry)) ? undefined : log;
}

/** All that a merge, an edit or a removal of it depends on; undefined for what stays whole: system messages, what tools keep. */
function withoutContent(entry: SessionEntry): SessionEntry | undefined {
  switch (entry.kind) {
    case "message":
      return isSystem(entry.message) ? undefined : { ...entry, message: { ...entry.message, content: [] } };
    case "edit":
    case "prepend":
      return isSystem(entry.item) ? undefined : { ...entry, item: emptied(entry.item) };
    case "record":
      return isToolState(entry.record) ? undefined : { ...entry, record: { type: entry.record.type } };
    case "custom":
      return { ...entry, data: null };
    default:
      return undefined;
  }
}

function isSystem(item: ContextItem): boolean {
  return isMessage(item) && item.type === MessageType.system;
}

function emptied(item: ContextItem): ContextItem {
  return isMessage(item) ? { ...item, content: [] } : { type: item.type };
}
