import { isObject, type JsonObject, type JsonValue, jsonEqual, wellFormedJson } from "@ashlar/context";

/** A note as it is kept. */
export interface Note {
  readonly title: string;
  readonly fields: JsonObject;
}

/** What is kept in a conversation, the last changed first. Reads any value: what is no note is left out. */
export function decodeNotes(value: JsonValue | undefined): readonly Note[] {
  const notes: unknown = isObject(value) ? value.notes : undefined;
  return Array.isArray(notes) ? notes.filter(isNote) : [];
}

export function encodeNotes(notes: readonly Note[]): JsonValue {
  return { notes: notes.map(({ title, fields }) => ({ title, fields })) };
}

/** One note with the patch merged into it, at the front; made when it was not there. The same list when that changes nothing. */
export function setNote(notes: readonly Note[], title: string, patch: JsonObject): readonly Note[] {
  const before = notes.find((note) => note.title === title);
  const fields = wellFormedJson(merged(before?.fields ?? {}, patch));
  if (before !== undefined && jsonEqual(before.fields, fields)) return notes;
  return [{ title, fields }, ...notes.filter((note) => note !== before)];
}

/** As in RFC 7396: null removes a member, objects are merged, anything else replaces. */
function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const before = members.get(name);
    if (value === null) members.delete(name);
    else if (isJsonObject(value)) members.set(name, merged(isJsonObject(before) ? before : {}, value));
    else members.set(name, value);
  }
  return Object.fromEntries(members);
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

function isNote(value: unknown): value is Note {
  return isObject(value) && typeof value.title === "string" && isObject(value.fields);
}
