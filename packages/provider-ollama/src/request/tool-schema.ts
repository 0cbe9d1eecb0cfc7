import type { JsonSchema } from "@ashlar/context/provider";
import { isRecord, listOf, recordOf, type UnknownRecord } from "../record.js";
import { schemaNotes, withNotes } from "./schema-notes.js";

const MAX_DEPTH = 32;
/** References are put in place until a schema has grown so far; after that they stay references. */
const MAX_INLINED_NODES = 2000;
/** References that lead to references, and branches within branches. */
const MAX_CHAIN = 64;

/** A tool's parameters as Ollama can pass them on. */
export interface ShapedSchema {
  readonly parameters: UnknownRecord;
  /** What the top of the schema says in words, for the tool's own description. */
  readonly notes: readonly string[];
}

/** A schema that no model could be told; the message says where and why. */
export class SchemaProblem extends Error {}

/**
 * Ollama passes on `type`, `properties`, `required`, `items`, `enum`, `anyOf` and descriptions, and drops the rest in silence.
 * So references are put in place, `oneOf` and `allOf` become what is passed on, and every other keyword also stands in the description.
 * Throws `SchemaProblem`.
 */
export function shapeSchema(schema: JsonSchema): ShapedSchema {
  const shaping = new Shaping(schema);
  const top = shaping.resolve(schema, []);
  const merged = shaping.mergeBranches(top.node, top.path);
  const { description, ...parameters } = shaping.shape(merged.node, { path: top.path, depth: 0 });
  return {
    parameters: {
      type: "object",
      properties: {},
      ...parameters,
      ...(shaping.keptReferences && definitionsOf(schema)),
    },
    notes: [...(typeof description === "string" ? [description] : []), ...merged.notes],
  };
}

function definitionsOf({ $defs, definitions }: JsonSchema): UnknownRecord {
  return { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
}

interface Resolved {
  readonly node: UnknownRecord;
  /** References on the way here, outermost first. */
  readonly path: readonly string[];
}

/** Where a schema stands. */
interface Way {
  /** References on the way here, outermost first. */
  readonly path: readonly string[];
  readonly depth: number;
}

interface Merged {
  readonly node: UnknownRecord;
  /** What the merged parts said in words. */
  readonly notes: readonly string[];
}

class Shaping {
  readonly #root: JsonSchema;
  #inlined = 0;
  keptReferences = false;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  shape(schema: UnknownRecord, way: Way): UnknownRecord {
    const { path, depth } = way;
    if (path.length > 0) this.#inlined += 1;
    const { node, notes } = this.#mergeAllOf(schema, path);
    const words = withNotes(node.description, [...schemaNotes(node), ...notes]);
    const choices = [...listOf(node.anyOf), ...listOf(node.oneOf)];
    const { properties, items, additionalProperties } = node;
    const inner = (value: unknown, at: string) => this.#inner(value, at, { path, depth: depth + 1 });
    return {
      ...plainKeywords(node),
      ...(words !== undefined && { description: words }),
      ...(Array.isArray(node.required) && { required: node.required }),
      ...(node.const !== undefined
        ? { enum: [node.const] }
        : Array.isArray(node.enum) && { enum: node.enum }),
      ...(choices.length > 0 && { anyOf: choices.map((choice) => inner(choice, "anyOf")) }),
      ...(isRecord(items) && { items: inner(items, "items") }),
      ...(properties !== undefined && { properties: mapValues(recordAt(properties), inner) }),
      ...(isRecord(additionalProperties) && {
        additionalProperties: inner(additionalProperties, "additionalProperties"),
      }),
    };
  }

  #inner(value: unknown, at: string, { path, depth }: Way): UnknownRecord {
    // `true` allows everything, which an empty schema says too.
    if (value === true) return {};
    if (value === false) return { description: "Not allowed" };
    if (!isRecord(value))
      throw new SchemaProblem(`"${at}" is ${JSON.stringify(value)?.slice(0, 60)}, not a schema`);
    if (depth > MAX_DEPTH) return stub(value, "Deeper levels are left out");
    const { $ref } = value;
    if (typeof $ref === "string" && (path.includes($ref) || this.#inlined > MAX_INLINED_NODES))
      return this.#kept($ref, value);
    const target = this.resolve(value, path);
    return this.shape(target.node, { path: target.path, depth });
  }

  /** Follows `$ref`; what stands beside it wins. */
  resolve(schema: UnknownRecord, path: readonly string[]): Resolved {
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string") return { node: schema, path };
    if (path.includes($ref)) throw new SchemaProblem(`"$ref": "${$ref}" refers to itself`);
    if (path.length >= MAX_CHAIN)
      throw new SchemaProblem(`"$ref": "${$ref}" ends too long a chain of references`);
    this.#inlined += 1;
    const { node, path: way } = this.resolve(this.#target($ref), [...path, $ref]);
    return { node: { ...node, ...beside }, path: way };
  }

  #kept($ref: string, schema: UnknownRecord): UnknownRecord {
    const target = this.#target($ref);
    this.keptReferences = true;
    const name = $ref.slice($ref.lastIndexOf("/") + 1) || "the whole";
    return { ...stub({ ...target, description: schema.description }, `The same shape as ${name}`), $ref };
  }

  #target($ref: string): UnknownRecord {
    const steps = /^#(?:\/(.*))?$/s.exec($ref);
    if (steps === null) throw new SchemaProblem(`"$ref": "${$ref}" leads out of the schema`);
    let target: unknown = this.#root;
    for (const step of steps[1]?.split("/") ?? []) target = child(target, unescaped(step));
    if (isRecord(target)) return target;
    throw new SchemaProblem(`"$ref": "${$ref}" refers to nothing in the schema`);
  }

  /** All branches hold, so their members are members of the whole. */
  #mergeAllOf(schema: UnknownRecord, path: readonly string[], depth = 0): Merged {
    const branches = listOf(schema.allOf).filter(isRecord);
    if (branches.length === 0) return { node: schema, notes: [] };
    if (depth >= MAX_CHAIN || this.#inlined > MAX_INLINED_NODES) {
      throw new SchemaProblem('"allOf" branches too deep or too often');
    }
    const { allOf: _, ...node } = schema;
    const merged = branches.map((branch) => {
      this.#inlined += 1;
      const resolved = this.resolve(branch, path);
      return this.#mergeAllOf(resolved.node, resolved.path, depth + 1);
    });
    const all = [...merged.map((branch) => branch.node), node];
    return {
      node: {
        ...Object.assign({}, ...all),
        ...unionOfProperties(all),
        ...required(all.flatMap((part) => listOf(part.required))),
      },
      notes: merged.flatMap((branch) => [...schemaNotes(branch.node), ...branch.notes]),
    };
  }

  /** A choice at the very top would be dropped: its members become members of the whole, its rules become words. */
  mergeBranches(schema: UnknownRecord, path: readonly string[]): Merged {
    const { anyOf, oneOf, ...node } = schema;
    const choices = [...listOf(anyOf), ...listOf(oneOf)].filter(isRecord);
    if (choices.length === 0) return { node, notes: [] };
    const branches = choices.map((choice) => this.#mergeAllOf(this.resolve(choice, path).node, path).node);
    const always = listOf(branches[0]?.required).filter((name) =>
      branches.every((branch) => listOf(branch.required).includes(name)),
    );
    const sets = branches.map((branch) => listOf(branch.required).join(", ") || "none");
    return {
      node: {
        ...node,
        ...unionOfProperties([...branches, node]),
        ...required([...listOf(node.required), ...always]),
      },
      notes: [`Give one of these sets of arguments: ${sets.join(" | ")}`],
    };
  }
}

/** Keywords that hold no schema; the server drops them, but a reader of the request may use them. */
function plainKeywords(node: UnknownRecord): UnknownRecord {
  return Object.fromEntries(
    Object.entries(node).filter(
      ([keyword, value]) =>
        keyword === "type" || keyword === "default" || (keyword !== "const" && typeof value !== "object"),
    ),
  );
}

function stub(schema: UnknownRecord, note: string): UnknownRecord {
  const { type = "object" } = schema;
  return { type, description: withNotes(schema.description, [note]) };
}

function unionOfProperties(parts: readonly UnknownRecord[]): UnknownRecord {
  const maps = parts.flatMap(({ properties }) => (properties === undefined ? [] : [recordAt(properties)]));
  return maps.length === 0 ? {} : { properties: Object.assign({}, ...maps) };
}

function required(names: readonly unknown[]): UnknownRecord {
  return names.length === 0 ? {} : { required: [...new Set(names)] };
}

function recordAt(properties: unknown): UnknownRecord {
  if (isRecord(properties)) return properties;
  throw new SchemaProblem(`"properties" is ${JSON.stringify(properties)?.slice(0, 60)}, not an object`);
}

function mapValues(values: UnknownRecord, change: (value: unknown, key: string) => unknown): UnknownRecord {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}

function child(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent[Number(key)];
  const record = recordOf(parent);
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function unescaped(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A bare per cent sign is part of the name.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
