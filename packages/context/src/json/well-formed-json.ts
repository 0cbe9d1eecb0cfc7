import { JSON_MAX_DEPTH } from "../json.js";
import { frozenCopy, isOwned } from "./frozen-copy.js";

/** JSON data with `wellFormed` applied to every string and key: the same object when nothing was wrong, else a frozen copy. */
export function wellFormedJson<Value>(value: Value): Value {
  return isWellFormedJson(value, 0) ? value : frozenCopy(value, "value");
}

function isWellFormedJson(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || isOwned(value)) return true;
  // Too deep is not answered here: the copy refuses it and names the place.
  if (depth > JSON_MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((member) => isWellFormedJson(member, depth + 1));
  return Object.entries(value).every(
    ([key, member]) => key.isWellFormed() && isWellFormedJson(member, depth + 1),
  );
}
