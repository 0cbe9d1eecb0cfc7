import { isObject } from "./plain-object.js";
import { resolveReference } from "./schema-reference.js";

/** Characters of JSON; the largest schema that is sent to a model. */
const MAX_SCHEMA_LENGTH = 512 * 1024;
const MAX_SCHEMA_DEPTH = 100;

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const ONE = [
  "additionalProperties",
  "items",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] as const;

interface Place {
  readonly schema: unknown;
  readonly at: string;
  readonly depth: number;
}

/** Why these arguments cannot be described to a model, or undefined. `schema` is plain JSON. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "inputSchema must be a JSON Schema object";
  if (schema.type !== undefined && schema.type !== "object") {
    return `inputSchema.type must be "object", because arguments are always an object; it is ${JSON.stringify(schema.type)}`;
  }
  const length = JSON.stringify(schema).length;
  if (length > MAX_SCHEMA_LENGTH) {
    return `inputSchema is ${length} characters long; at most ${MAX_SCHEMA_LENGTH} are sent to a model`;
  }
  const open: Place[] = [{ schema, at: "inputSchema", depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const problem = placeProblem(schema, place) ?? collectParts(place, open);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function placeProblem(root: unknown, { schema, at, depth }: Place): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${at} must be a schema (an object or a boolean)`;
  if (depth > MAX_SCHEMA_DEPTH) return `${at} nests deeper than ${MAX_SCHEMA_DEPTH} levels`;
  if (depth > 0 && schema.$id !== undefined) return `${at}.$id: only the whole schema may have an $id`;
  for (const keyword of ["$ref", "$dynamicRef"] as const) {
    const reference = schema[keyword];
    if (reference === undefined) continue;
    if (typeof reference !== "string") return `${at}.${keyword} must be a string`;
    const target = resolveReference(root, reference);
    if (typeof target !== "boolean" && !isObject(target)) {
      return `${at}.${keyword} "${reference}" points at nothing in this schema`;
    }
  }
  return keywordProblem(schema, at);
}

function keywordProblem(schema: Readonly<Record<string, unknown>>, at: string): string | undefined {
  const { type, required, enum: values } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  for (const name of types) {
    if (!TYPES.has(String(name))) return `${at}.type: ${JSON.stringify(name)} is no JSON type`;
  }
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === "string"))
  ) {
    return `${at}.required must be a list of field names`;
  }
  if (values !== undefined && !Array.isArray(values)) return `${at}.enum must be a list`;
  return undefined;
}

/** Puts the schemas inside this one on `open`. */
function collectParts({ schema, at, depth }: Place, open: Place[]): string | undefined {
  if (!isObject(schema)) return undefined;
  const push = (part: unknown, where: string): void => {
    open.push({ schema: part, at: where, depth: depth + 1 });
  };
  for (const keyword of ONE) {
    if (schema[keyword] !== undefined) push(schema[keyword], `${at}.${keyword}`);
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.length === 0) return `${at}.${keyword} must be a list of schemas`;
    list.forEach((part, index) => {
      push(part, `${at}.${keyword}[${index}]`);
    });
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (map === undefined) continue;
    if (!isObject(map)) return `${at}.${keyword} must be an object of schemas; it is ${JSON.stringify(map)}`;
    for (const [name, part] of Object.entries(map)) push(part, `${at}.${keyword}.${name}`);
  }
  return undefined;
}
