import { malformed } from "../context-error.js";
import { frozenCopy } from "../json/frozen-copy.js";
import { isObject, nameOfValue } from "../json.js";
import { isRecord } from "../message/guard.js";
import { validateItem, validateMessage } from "../message/validate.js";
import type { LeafReason, SessionEntry } from "./entry.js";

const LEAF_REASONS: readonly unknown[] = [
  "rollback",
  "undo",
  "redo",
  "cancel",
] satisfies readonly LeafReason[];

/** Checks one entry as a store gave it. Throws kind `malformed`; `at` names the place, such as `entries[3]`. */
export function validateEntry(value: unknown, at: string): SessionEntry {
  if (!isObject(value)) throw malformed(at, `expected a session entry, got ${nameOfValue(value)}`);
  if (typeof value.id !== "string" || value.id === "")
    throw malformed(`${at}.id`, "expected a string that is not empty");
  if (typeof value.seq !== "number")
    throw malformed(`${at}.seq`, `expected a number, got ${nameOfValue(value.seq)}`);
  if (typeof value.at !== "number")
    throw malformed(`${at}.at`, `expected milliseconds, got ${nameOfValue(value.at)}`);
  if (value.parent !== null && typeof value.parent !== "string") {
    throw malformed(`${at}.parent`, `expected an entry's id or null, got ${nameOfValue(value.parent)}`);
  }
  checkPayload(value, at);
  // Every member that `SessionEntry` names was checked above.
  return frozenCopy(withOwnPayload(value, at) as object as SessionEntry, at);
}

/** The item by itself, so that it may be as deep as one that is appended. */
function withOwnPayload(entry: Record<string, unknown>, at: string): Record<string, unknown> {
  const own = { ...entry };
  for (const field of ["message", "record", "item"]) {
    if (own[field] !== undefined) own[field] = frozenCopy(own[field], `${at}.${field}`);
  }
  return own;
}

function checkPayload(entry: Record<string, unknown>, at: string): void {
  switch (entry.kind) {
    case "message":
      validateMessage(entry.message, `${at}.message`);
      return;
    case "record":
      if (!isRecord(entry.record)) throw malformed(`${at}.record`, "expected an object with a string type");
      return;
    case "edit":
      checkTargets(entry.targets, `${at}.targets`);
      validateItem(entry.item, `${at}.item`);
      return;
    case "remove":
      checkTargets(entry.targets, `${at}.targets`);
      return;
    case "prepend":
      validateItem(entry.item, `${at}.item`);
      return;
    case "leaf":
      if (entry.to !== null && typeof entry.to !== "string") {
        throw malformed(`${at}.to`, `expected an entry's id or null, got ${nameOfValue(entry.to)}`);
      }
      if (!LEAF_REASONS.includes(entry.reason))
        throw malformed(`${at}.reason`, `expected one of ${LEAF_REASONS.join(", ")}`);
      return;
    default:
      throw malformed(`${at}.kind`, `no entry is of the kind ${JSON.stringify(entry.kind) ?? "undefined"}`);
  }
}

function checkTargets(value: unknown, at: string): void {
  if (Array.isArray(value) && value.every((id) => typeof id === "string")) return;
  throw malformed(at, "expected an array of entry ids");
}
