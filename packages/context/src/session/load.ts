import { frozenCopy, isOwned } from "../json/frozen-copy.js";
import { isObject } from "../json.js";
import { checkEntry } from "./check-entry.js";
import type { SessionEntry } from "./entry.js";

/** Fields of an entry that hold no data of their own, and its message. */
const FLAT = ["id", "seq", "parent", "at", "kind", "message", "merge", "joined", "lane"];
const PAYLOADS = ["message", "record", "item", "summary", "details", "data"];

/** Checks one entry and returns it frozen; an entry that a Context made is returned as it is. Throws kind `malformed`; `at` names the place, such as `entries[3]`. */
export function loadEntry(value: unknown, at: string): SessionEntry {
  const entry = checkEntry(value, at);
  const isFlat = entry.kind === "message" && Object.isFrozen(entry) && isOwned(entry.message);
  return isFlat && Object.keys(entry).every((key) => FLAT.includes(key)) ? entry : frozenEntry(entry, at);
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
