import { isObject, JSON_MAX_DEPTH } from "../json.js";

/** Deep equality of JSON data; the order of keys does not count. Data past the depth limit is never equal. */
export function jsonEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > JSON_MAX_DEPTH) return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((member, index) => jsonEqual(member, b[index], depth + 1))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key], depth + 1))
  );
}
