import { frozenCopy } from "./frozen-copy.js";

/** JSON data with `wellFormed` applied to every string and key, deeply frozen; the same object when it was all that. */
export function wellFormedJson<Value>(value: Value): Value {
  return frozenCopy(value, "value");
}
