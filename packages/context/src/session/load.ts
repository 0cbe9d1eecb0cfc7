import { frozenCopy } from "../json/frozen-copy.js";
import { isObject } from "../json.js";
import { checkEntry } from "./check-entry.js";
import type { SessionEntry } from "./entry.js";

const PAYLOADS = ["message", "record", "item", "summary", "details", "data"];

/** Checks one entry and returns it frozen. Throws kind `malformed`; `at` names the place, such as `entries[3]`. */
export function loadEntry(value: unknown, at: string): SessionEntry {
  return frozenEntry(checkEntry(value, at), at);
}

/** The entry as deeply frozen, well-formed data; its payload by itself, so that it may be as deep as one that is appended. */
export function frozenEntry(entry: SessionEntry, at: string): SessionEntry {
  const own: Record<string, unknown> = { ...entry };
  for (const field of PAYLOADS) {
    if (isObject(own[field])) own[field] = frozenCopy(own[field], `${at}.${field}`);
  }
  // The copy has the shape of the entry.
  return frozenCopy(own as object as SessionEntry, at);
}
