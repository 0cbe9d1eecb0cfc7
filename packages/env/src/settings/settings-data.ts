import { EnvError } from "../env-error.js";

/** JSON data as a settings layer holds it: plain objects, arrays, scalars. Never changed in place. */
export interface SettingsData {
  readonly [key: string]: unknown;
}
export type SettingsPath = readonly string[];

const CONTROL_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** Keys that steer JavaScript's own objects; no settings may carry them. */
export function isControlKey(key: string): boolean {
  return CONTROL_KEYS.has(key);
}

export function isSettingsData(value: unknown): value is SettingsData {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readPath(data: unknown, path: SettingsPath): unknown {
  let value = data;
  for (const key of path) {
    if (!isSettingsData(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** A copy with the value at the path; `undefined` deletes it. A scalar in the way becomes an object. */
export function withPath(data: SettingsData, path: SettingsPath, value: unknown): SettingsData {
  const [key, ...rest] = path;
  if (key === undefined) return isSettingsData(value) ? value : {};
  const { [key]: old, ...others } = data;
  if (rest.length === 0) {
    if (value === undefined) return others;
    return Object.hasOwn(data, key) ? { ...data, [key]: value } : { ...others, [key]: value };
  }
  if (value === undefined && readPath(old, rest) === undefined) return data;
  return { ...data, [key]: withPath(isSettingsData(old) ? old : {}, rest, value) };
}

/** Objects merge by key, everything else of the stronger side replaces. */
export function mergeData(weak: unknown, strong: unknown): unknown {
  if (strong === undefined) return weak;
  if (!isSettingsData(weak) || !isSettingsData(strong)) return strong;
  const merged: Record<string, unknown> = { ...weak };
  for (const [key, value] of Object.entries(strong)) {
    merged[key] = mergeData(Object.hasOwn(weak, key) ? weak[key] : undefined, value);
  }
  return merged;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameData(item, b[index]));
  }
  if (!isSettingsData(a) || !isSettingsData(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key]));
}

/** A copy of a value that settings can hold. Members that are undefined fall out. Throws kind `settings` for what is not JSON. */
export function jsonCopy(value: unknown, path: SettingsPath): unknown {
  return copyInside(value, path, new Set());
}

function copyInside(value: unknown, path: SettingsPath, above: Set<object>): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object")
    throw notJson(path, typeof value === "number" ? String(value) : typeof value);
  if (above.has(value)) throw notJson(path, "an object that contains itself");
  const inside = new Set(above).add(value);
  if (Array.isArray(value)) {
    return value.map((item, index) => copyInside(item, [...path, String(index)], inside));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson(path, "an object of a class");
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (isControlKey(key)) throw notJson([...path, key], `the key "${key}"`);
    if (part !== undefined) copy[key] = copyInside(part, [...path, key], inside);
  }
  return copy;
}

function notJson(path: SettingsPath, found: string): EnvError {
  const key = path.join(".");
  return new EnvError("settings", `${key}: settings hold plain JSON, not ${found}.`, { key });
}
