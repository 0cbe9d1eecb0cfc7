import { isObject, own } from "../schema/plain-object.js";
import { resolveReference } from "../schema/schema-reference.js";

export type JsonType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";
type Schema = Readonly<Record<string, unknown>>;

const ALL: readonly JsonType[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const ANY: ReadonlySet<JsonType> = new Set(ALL);
const NONE: ReadonlySet<JsonType> = new Set();

export function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "object";
}

export function accepts(types: ReadonlySet<JsonType>, value: unknown): boolean {
  return types.has(typeOfValue(value));
}

/** What the parts of one JSON Schema ask of a value. */
export interface SchemaShape {
  /** The JSON types that a value may have here. `number` always comes with `integer`. */
  readonly types: (schema: unknown) => ReadonlySet<JsonType>;
  /**
   * The schemas that must all hold for this value: the schema itself, what it refers to, the members of `allOf`, and
   * of each `anyOf` and `oneOf` the one branch that can be meant; no branch when several can.
   */
  readonly applicable: (schema: unknown, value: unknown) => readonly Schema[];
}

export function createSchemaShape(root: unknown): SchemaShape {
  // Each schema is worked out once; while that goes on, a reference back to it counts as "anything".
  const known = new WeakMap<object, ReadonlySet<JsonType>>();

  const types = (schema: unknown): ReadonlySet<JsonType> => {
    if (!isObject(schema)) return schema === false ? NONE : ANY;
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, ANY);
    let allowed = ANY;
    for (const part of conjuncts(root, schema)) {
      const branches = branchLists(part).map((list) => new Set(list.flatMap((branch) => [...types(branch)])));
      for (const set of [namedTypes(part), listedTypes(part), ...branches]) allowed = both(allowed, set);
    }
    known.set(schema, allowed);
    return allowed;
  };

  const fits = (branch: unknown, value: unknown): boolean => {
    if (!accepts(types(branch), value)) return false;
    return !isObject(value) || conjuncts(root, branch).every((part) => tagsMatch(part.properties, value));
  };

  const applicable = (schema: unknown, value: unknown): readonly Schema[] => {
    const parts = conjuncts(root, schema);
    const chosen = parts.flatMap(branchLists).flatMap((list) => {
      const fitting = list.filter((branch) => fits(branch, value));
      return fitting.length === 1 ? conjuncts(root, fitting[0]) : [];
    });
    return [...parts, ...chosen];
  };

  return { types, applicable };
}

function conjuncts(root: unknown, schema: unknown): readonly Schema[] {
  const found = new Set<Schema>();
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const at = open.pop();
    if (!isObject(at) || found.has(at)) continue;
    found.add(at);
    for (const reference of [at.$ref, at.$dynamicRef]) {
      if (typeof reference === "string") open.push(resolveReference(root, reference));
    }
    if (Array.isArray(at.allOf)) open.push(...at.allOf);
  }
  return [...found];
}

function both(left: ReadonlySet<JsonType>, right: ReadonlySet<JsonType> | undefined): ReadonlySet<JsonType> {
  return right === undefined ? left : new Set([...left].filter((type) => right.has(type)));
}

function namedTypes({ type }: Schema): ReadonlySet<JsonType> | undefined {
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  return withIntegers(ALL.filter((name) => names.includes(name)));
}

function listedTypes(schema: Schema): ReadonlySet<JsonType> | undefined {
  if (Array.isArray(schema.enum)) return withIntegers(schema.enum.map(typeOfValue));
  return Object.hasOwn(schema, "const") ? withIntegers([typeOfValue(schema.const)]) : undefined;
}

function withIntegers(types: readonly JsonType[]): ReadonlySet<JsonType> {
  return new Set(types.includes("number") ? [...types, "integer"] : types);
}

function branchLists({ anyOf, oneOf }: Schema): readonly (readonly unknown[])[] {
  return [anyOf, oneOf].filter((list) => Array.isArray(list));
}

/** False when a field that the branch fixes (`const`) has another value. */
function tagsMatch(properties: unknown, value: Schema): boolean {
  if (!isObject(properties)) return true;
  return Object.entries(properties).every(([name, schema]) => {
    if (!isObject(schema) || !Object.hasOwn(schema, "const") || !Object.hasOwn(value, name)) return true;
    return schema.const === own(value, name);
  });
}
