import { isContextError, malformed } from "../context-error.js";
import { isObject, JSON_MAX_DEPTH, nameOfValue } from "../json.js";
import { isMessage, isRecord } from "../message/guard.js";
import { validateItem, validateMessage } from "../message/validate.js";
import { MessageType } from "../message.js";
import { checkJournalEvent } from "./check-journal-event.js";
import type { LeafReason, SessionEntry } from "./entry.js";

const LEAF_REASONS: readonly unknown[] = [
  "rollback",
  "undo",
  "redo",
  "cancel",
  "move",
] satisfies readonly LeafReason[];

/** Checks one entry as it was stored and returns it. Throws kind `malformed`; `at` names the place, such as `entries[3]`. */
export function checkEntry(value: unknown, at: string): SessionEntry {
  if (!isObject(value)) throw malformed(at, `expected a session entry, got ${nameOfValue(value)}`);
  if (typeof value.id !== "string" || value.id === "")
    throw malformed(`${at}.id`, "expected a string that is not empty");
  if (typeof value.seq !== "number")
    throw malformed(`${at}.seq`, `expected a number, got ${nameOfValue(value.seq)}`);
  if (typeof value.at !== "number")
    throw malformed(`${at}.at`, `expected milliseconds, got ${nameOfValue(value.at)}`);
  checkId(value.parent, `${at}.parent`);
  if (value.lane !== undefined && (typeof value.lane !== "string" || value.lane === ""))
    throw malformed(`${at}.lane`, "expected a name that is not empty");
  if (!isPlainMessage(value)) checkPayload(value, at);
  // Every member that `SessionEntry` names was checked above.
  return value as object as SessionEntry;
}

/** Most entries: a message of nothing but text. They need no look that could name a place. */
export function isPlainMessage({
  kind,
  message,
}: {
  readonly kind?: unknown;
  readonly message?: unknown;
}): boolean {
  if (kind !== "message" || !isMessage(message) || Object.keys(message).length !== 2) return false;
  const isSaid = message.type === MessageType.user || message.type === MessageType.assistant;
  return isSaid && message.content.every(isPlainText);
}

function isPlainText(block: unknown): boolean {
  return (
    isObject(block) &&
    block.type === "text" &&
    typeof block.text === "string" &&
    Object.keys(block).length === 2
  );
}

/** True for what `checkEntry` takes. */
export function isEntry(value: unknown): value is SessionEntry {
  try {
    checkEntry(value, "entry");
    return true;
  } catch (error) {
    if (isContextError(error)) return false;
    throw error;
  }
}

function checkPayload(entry: Record<string, unknown>, at: string): void {
  switch (entry.kind) {
    case "message":
      validateMessage(payload(entry.message, `${at}.message`), `${at}.message`);
      return;
    case "record":
      if (!isRecord(payload(entry.record, `${at}.record`)))
        throw malformed(`${at}.record`, "expected an object with a string type");
      return;
    case "edit":
      checkTargets(entry.targets, `${at}.targets`);
      validateItem(payload(entry.item, `${at}.item`), `${at}.item`);
      return;
    case "remove":
      checkTargets(entry.targets, `${at}.targets`);
      return;
    case "prepend":
      validateItem(payload(entry.item, `${at}.item`), `${at}.item`);
      return;
    case "leaf":
      checkId(entry.to, `${at}.to`);
      if (!LEAF_REASONS.includes(entry.reason))
        throw malformed(`${at}.reason`, `expected one of ${LEAF_REASONS.join(", ")}`);
      return;
    default:
      checkLaterKinds(entry, at);
  }
}

function checkLaterKinds(entry: Record<string, unknown>, at: string): void {
  switch (entry.kind) {
    case "compaction":
      checkId(entry.firstKept, `${at}.firstKept`);
      validateMessage(payload(entry.summary, `${at}.summary`), `${at}.summary`);
      payload(entry.details, `${at}.details`);
      return;
    case "summary":
      checkText(entry.from, `${at}.from`);
      validateMessage(payload(entry.message, `${at}.message`), `${at}.message`);
      payload(entry.details, `${at}.details`);
      return;
    case "custom":
      checkText(entry.name, `${at}.name`);
      if (entry.data === undefined) throw malformed(`${at}.data`, "expected JSON data, got nothing");
      payload(entry.data, `${at}.data`);
      return;
    case "label":
      checkText(entry.target, `${at}.target`);
      if (entry.text !== null) checkText(entry.text, `${at}.text`);
      return;
    case "name":
      if (entry.name !== null) checkText(entry.name, `${at}.name`);
      return;
    case "journal":
      checkJournalEvent(entry.event, `${at}.event`);
      return;
    default:
      throw malformed(`${at}.kind`, `no entry is of the kind ${JSON.stringify(entry.kind) ?? "undefined"}`);
  }
}

/** The payload by itself may be as deep as one that is appended; deeper data is refused before anything walks over it. */
function payload(value: unknown, at: string): unknown {
  if (isDeeper(value, JSON_MAX_DEPTH)) throw malformed(at, `nested deeper than ${JSON_MAX_DEPTH} levels`);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeper(member, levels - 1));
  for (const member of Object.values(value)) {
    if (typeof member === "object" && isDeeper(member, levels - 1)) return true;
  }
  return false;
}

function checkTargets(value: unknown, at: string): void {
  if (Array.isArray(value) && value.every((id) => typeof id === "string")) return;
  throw malformed(at, "expected an array of entry ids");
}

function checkId(value: unknown, at: string): void {
  if (value === null || typeof value === "string") return;
  throw malformed(at, `expected an entry's id or null, got ${nameOfValue(value)}`);
}

function checkText(value: unknown, at: string): void {
  if (typeof value !== "string") throw malformed(at, `expected a string, got ${nameOfValue(value)}`);
}
