import { malformed } from "../context-error.js";
import { JSON_MAX_DEPTH, nameOfValue } from "../json.js";
import { setOwn } from "./set-own.js";
import { wellFormed } from "./well-formed.js";

/** What came out of `frozenCopy`: deeply frozen and well-formed for good. */
const owned = new WeakSet<object>();

/**
 * The value as deeply frozen JSON data with well-formed strings; returned as it is when it is that already.
 * Keys such as `__proto__` are plain data. Throws kind `malformed` for what JSON cannot hold; `at` names the value.
 */
export function frozenCopy<Value>(value: Value, at: string): Value {
  if (isOwned(value)) return value;
  const copy = copyOf(value, [at], JSON_MAX_DEPTH);
  if (typeof copy === "object" && copy !== null) owned.add(copy);
  // The copy has the shape of the value: only strings inside it may differ.
  return copy as Value;
}

/** A message, its content and a block stand around such data, and must not push it over the limit later. */
const LEVELS_AROUND = 8;

/** `frozenCopy` for data that a block will hold: arguments, extras, results. */
export function frozenPart<Value>(value: Value, at: string): Value {
  // The copy has the shape of the value: only strings inside it may differ.
  return copyOf(value, [at], JSON_MAX_DEPTH - LEVELS_AROUND) as Value;
}

/** True when the value came from `frozenCopy`, so that nobody needs to look inside again. */
export function isOwned(value: unknown): boolean {
  return typeof value === "object" && value !== null && owned.has(value);
}

/** The way to a value: its name, then keys and indexes. Written out only when something is wrong there. */
type Path = (string | number)[];

function placeOf(path: Path): string {
  return path
    .map((step, depth) => (typeof step === "number" ? `[${step}]` : depth === 0 ? step : `.${step}`))
    .join("");
}

function copyOf(value: unknown, path: Path, maxDepth: number): unknown {
  switch (typeof value) {
    case "string":
      return wellFormed(value);
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw malformed(placeOf(path), `${value} is no JSON number`);
    case "object":
      break;
    default:
      throw malformed(placeOf(path), `expected JSON data, got ${nameOfValue(value)}`);
  }
  if (value === null || owned.has(value)) return value;
  if (path.length > maxDepth) {
    throw malformed(placeOf(path.slice(0, 4)), `nested deeper than ${maxDepth} levels, or a cycle`);
  }
  return Array.isArray(value) ? copyOfArray(value, path, maxDepth) : copyOfObject(value, path, maxDepth);
}

function copyOfArray(value: readonly unknown[], path: Path, maxDepth: number): readonly unknown[] {
  let same = Object.isFrozen(value);
  // Its length is known: an array that grows keeps room for more.
  const copy: unknown[] = new Array(value.length);
  for (let index = 0; index < value.length; index += 1) {
    path.push(index);
    const member = copyOf(value[index], path, maxDepth);
    path.pop();
    if (member !== value[index]) same = false;
    copy[index] = member;
  }
  return same ? value : Object.freeze(copy);
}

function copyOfObject(value: object, path: Path, maxDepth: number): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second step accepts plain objects of another realm.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw malformed(placeOf(path), "expected JSON data, got an instance of a class");
  }
  let same = Object.isFrozen(value);
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) {
      same = false;
      continue;
    }
    const name = wellFormed(key);
    path.push(name);
    const own = copyOf(member, path, maxDepth);
    path.pop();
    if (own !== member || name !== key) same = false;
    setOwn(copy, name, own);
  }
  return same ? value : Object.freeze(fitted(copy));
}

/** An object that grew keeps room for more fields. Plain messages and text blocks, of which most conversations are made, do without. */
function fitted(copy: Readonly<Record<string, unknown>>): object {
  const keys = Object.keys(copy);
  if (keys.length !== 2 || keys[0] !== "type") return copy;
  if (keys[1] === "content") return { type: copy.type, content: copy.content };
  return keys[1] === "text" ? { type: copy.type, text: copy.text } : copy;
}
