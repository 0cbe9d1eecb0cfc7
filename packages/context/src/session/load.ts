import { frozenCopy, isOwned } from "../json/frozen-copy.js";
import { wellFormed } from "../json/well-formed.js";
import { isObject } from "../json.js";
import type { Block } from "../message.js";
import { checkEntry, isPlainMessage } from "./check-entry.js";
import type { SessionEntry } from "./entry.js";

/** The fields of the entry that there are thousands of: all checked, and none with data of its own but the message. */
const FLAT = new Set(["id", "seq", "parent", "at", "kind", "message"]);
const PAYLOADS = ["message", "record", "item", "summary", "details", "data"];

/** Checks one entry and returns it frozen; an entry that a Context made is returned as it is. */
export function loadEntry(value: unknown, at: string): SessionEntry {
  const entry = checkEntry(value, at);
  const isOwn = entry.kind === "message" && Object.isFrozen(entry) && isOwned(entry.message) && isFlat(entry);
  return isOwn ? entry : frozenEntry(entry, at);
}

/** Checks one entry for a store that serialises it at once; one of plain text is then not worth a copy. */
export function passEntry(value: unknown, at: string): SessionEntry {
  const entry = checkEntry(value, at);
  const isPlain = entry.kind === "message" && isFlat(entry) && isWellFormed(entry) && isPlainMessage(entry);
  return isPlain && entry.message.content.every(isWellFormedText) ? entry : loadEntry(value, at);
}

function isWellFormedText(block: Block): boolean {
  return block.type === "text" && wellFormed(block.text) === block.text;
}

/** The entry as deeply frozen, well-formed data; its payload by itself, so that it may be as deep as one that is appended. */
export function frozenEntry(entry: SessionEntry, at: string): SessionEntry {
  const own: Record<string, unknown> = { ...entry };
  for (const field of PAYLOADS) {
    if (isObject(own[field])) own[field] = frozenCopy(own[field], `${at}.${field}`);
  }
  // The copy has the shape of the entry.
  const copy = own as object as SessionEntry;
  return isFlat(copy) && isWellFormed(copy) ? Object.freeze(copy) : frozenCopy(copy, at);
}

function isFlat(entry: SessionEntry): boolean {
  for (const key in entry) if (!FLAT.has(key)) return false;
  return true;
}

/** Texts of the entry itself; those of its message were seen to. */
function isWellFormed({ id, parent }: SessionEntry): boolean {
  return wellFormed(id) === id && wellFormed(parent ?? "") === (parent ?? "");
}
