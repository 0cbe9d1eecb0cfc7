import {
  type Context,
  type EntryKind,
  isObject,
  type JsonObject,
  type Message,
  messageAssistant,
  messageToolResult,
  messageUser,
  type PathEntry,
  type SessionEntry,
} from "@ashlar/context";
import { suiteRecord } from "./suite-record.js";
import { CARRIED, type SuiteDraft, type SuiteEntry, type SuiteLogItem } from "./suite-shapes.js";

const KINDS: Readonly<Record<SuiteEntry["type"], EntryKind>> = {
  message: "message",
  compaction: "compaction",
  branch_summary: "summary",
  custom: "custom",
  model_change: "custom",
  thinking_level_change: "custom",
  active_tools_change: "custom",
};

export const kindOf = (type: SuiteEntry["type"]): EntryKind => KINDS[type];

/** Adds the entry at the leaf of the context's lane. */
export function grow(context: Context, draft: SuiteDraft): void {
  // Whatever it holds is for the context to check.
  const carried = draft as object as JsonObject;
  if (draft.type === "message") context.append(messageOf(draft, carried), { merge: false });
  else if (draft.type === "compaction")
    context.compact({
      firstKept: context.length,
      summary: messageUser(String(draft.summary)),
      details: { [CARRIED]: carried },
    });
  else context.addCustom(String(draft.customType ?? draft.type), { [CARRIED]: carried });
}

function messageOf({ message }: SuiteDraft, carried: JsonObject): Message {
  const { role, content, toolCallId } = Object(message);
  if (role === "toolResult")
    return { ...messageToolResult({ callId: String(toolCallId), content }), [CARRIED]: carried };
  return (role === "assistant" ? messageAssistant : messageUser)(content, { [CARRIED]: carried });
}

function carriedBy(entry: PathEntry): Record<string, unknown> {
  const holder =
    entry.kind === "message" ? entry.message : entry.kind === "custom" ? entry.data : detailsOf(entry);
  const carried = isObject(holder) ? holder[CARRIED] : undefined;
  return isObject(carried) ? carried : {};
}

const detailsOf = (entry: PathEntry): unknown => ("details" in entry ? entry.details : undefined);

/** The suite names entries itself; what it did not name goes by our id. */
export function suiteId(entry: PathEntry): string {
  const { id } = carriedBy(entry);
  return typeof id === "string" ? id : entry.id;
}

/** The suite's names by our ids. */
export type EntryNames = ReadonlyMap<string, string>;

/** A copy, because the suite changes what it reads; ours is frozen. */
export function suiteEntry(entry: PathEntry, names: EntryNames): SuiteEntry {
  const own = {
    ...structuredClone(carriedBy(entry)),
    id: suiteId(entry),
    parentId: nameOf(entry.parent, names),
    seq: entry.seq,
    timestamp: entry.at,
  };
  // What the suite handed in, with the place that the session gave it.
  return own as object as SuiteEntry;
}

export const nameOf = (id: string | null, names: EntryNames): string | null =>
  id === null ? null : (names.get(id) ?? id);

export function logItem(entry: SessionEntry, names: EntryNames): SuiteLogItem {
  const { seq } = entry;
  switch (entry.kind) {
    case "journal":
      return { kind: "record", seq, record: suiteRecord(entry) };
    case "leaf":
      return { kind: "lane", seq, lane: entry.lane ?? "main", leafId: nameOf(entry.to, names) };
    case "name":
      return { kind: "fact", seq, fact: "name", name: entry.name ?? undefined };
    case "label": {
      const targetId = names.get(entry.target) ?? entry.target;
      return { kind: "fact", seq, fact: "label", targetId, label: entry.text ?? undefined };
    }
    default:
      return { kind: "entry", seq, entry: suiteEntry(entry, names) };
  }
}
