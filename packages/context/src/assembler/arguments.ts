import { frozenPart } from "../json/frozen-copy.js";
import { wellFormed } from "../json/well-formed.js";

/**
 * The value that a call's arguments text stands for; blank text is `{}`.
 * Text that is no JSON, nests too deep, or is itself a JSON string stays raw, so that a string always means "not parsed".
 */
export function parseArguments(text: string): unknown {
  if (text.trim() === "") return Object.freeze({});
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? wellFormed(text) : frozenPart(value, "arguments");
  } catch {
    // Broken JSON is the model's, not ours: it is kept as it came and never repaired.
    return wellFormed(text);
  }
}
