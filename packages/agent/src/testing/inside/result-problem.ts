import { isObject } from "../../loop/json-object.js";

const MAX_DEPTH = 200;
const PAYLOAD_KEYS: ReadonlySet<string> = new Set(["result", "system", "display"]);
const BLOCK_FIELDS: Readonly<Record<string, string>> = { text: "text", image: "content", binary: "content" };

/** What a host cannot take of a result, or undefined. */
export function resultProblem(value: unknown): string | undefined {
  if (value === undefined) return "nothing; a result is a text, blocks or a JSON value";
  if (!isPayload(value)) return contentProblem(value, "result");
  const { result, system = [], display = "" } = value;
  const texts: readonly unknown[] = Array.isArray(system) ? system : [system];
  if (!texts.every((text) => typeof text === "string")) return "system, which is a text or a list of texts";
  if (typeof display !== "string" && !isBlockList(display))
    return "display, which is a text or a list of blocks";
  return contentProblem(result, "result.result") ?? contentProblem(display, "result.display");
}

/** True for the form with `system` and `display`. */
export function isPayload(
  value: unknown,
): value is { readonly result: unknown; readonly system?: unknown; readonly display?: unknown } {
  return isObject(value) && "result" in value && Object.keys(value).every((key) => PAYLOAD_KEYS.has(key));
}

/** True for a list of which every part names a kind of block. */
export function isBlockList(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  const isBlock = (part: unknown): boolean =>
    isObject(part) && Object.hasOwn(BLOCK_FIELDS, String(part.type));
  return Array.isArray(value) && value.every(isBlock);
}

function contentProblem(value: unknown, at: string): string | undefined {
  if (isBlockList(value)) {
    for (const [index, block] of value.entries()) {
      const field = BLOCK_FIELDS[String(block.type)] ?? "text";
      if (typeof block[field] !== "string")
        return `${at}[${index}], a block of type ${block.type} without a text as ${field}`;
    }
  }
  return jsonProblem(value, at, []);
}

/** Why a value does not come out of JSON as it went in. A member that is undefined counts as left out. */
function jsonProblem(value: unknown, at: string, above: readonly object[]): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${at}, which is ${value}`;
  if (typeof value !== "object") return `${at}, which is of type ${typeof value}`;
  if (above.includes(value)) return `${at}, which holds itself`;
  if (above.length >= MAX_DEPTH) return `${at}, which is deeper than ${MAX_DEPTH} levels`;
  const kind = oddKind(value);
  if (kind !== undefined) return `${at}, which is a ${kind}`;
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined && !Array.isArray(value)) continue;
    const problem = jsonProblem(member, `${at}.${key}`, [...above, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The class of an object that JSON would make something else of. */
function oddKind(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value) || prototype === null || prototype === Object.prototype) return undefined;
  return value.constructor?.name || "class of its own";
}
