import { isObject, wellFormedJson } from "@ashlar/context";

/** Texts of list members that can no longer change: each request of a conversation repeats the messages before it. */
const known = new WeakMap<object, string>();

/** A request's body as JSON text of well-formed Unicode: strict servers refuse anything else. A string is the text already. */
export function bodyText(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (!isObject(body) || !isPlain(body)) return jsonText(body);
  const fields: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? listText(value) : jsonText(value);
    if (text !== undefined) fields.push(`${jsonText(key)}:${text}`);
  }
  return `{${fields.join(",")}}`;
}

function listText(list: readonly unknown[]): string | undefined {
  // A list of which nothing is kept is faster in one piece.
  if (!list.some((member) => typeof member === "object" && Object.isFrozen(member))) return jsonText(list);
  return `[${list.map(memberText).join(",")}]`;
}

function memberText(member: unknown): string {
  if (typeof member !== "object" || member === null) return jsonText(member) ?? "null";
  const before = known.get(member);
  if (before !== undefined) return before;
  const text = jsonText(member) ?? "null";
  if (isFixed(member)) known.set(member, text);
  return text;
}

/** JSON writes a lone surrogate as an escape, and nothing else as one from this range. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** Undefined for what JSON leaves out. */
function jsonText(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text !== undefined && LONE_SURROGATE.test(text) ? JSON.stringify(wellFormedJson(value)) : text;
}

/** Plain data that is frozen down to the last member. */
function isFixed(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (!Object.isFrozen(value)) return false;
  return (Array.isArray(value) || isPlain(value)) && Object.values(value).every(isFixed);
}

/** No class of its own and no `toJSON`, so that it is what its members are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}
