import { malformed } from "../context-error.js";
import { isObject, JSON_MAX_DEPTH } from "../json.js";

/** JSON text with sorted keys and no blanks: equal data gives equal text. Throws kind `malformed` past the depth limit. */
export function canonicalJson(value: unknown): string {
  return write(value, 0) ?? "null";
}

function write(value: unknown, depth: number): string | undefined {
  if (depth > JSON_MAX_DEPTH)
    throw malformed("value", `nested deeper than ${JSON_MAX_DEPTH} levels, or a cycle`);
  if (Array.isArray(value)) return `[${value.map((member) => write(member, depth + 1) ?? "null").join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const text = write(value[key], depth + 1);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}
