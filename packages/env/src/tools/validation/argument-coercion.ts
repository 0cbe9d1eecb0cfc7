import { isObject, own } from "../schema/plain-object.js";
import { accepts, createSchemaShape, type JsonType, type SchemaShape, typeOfValue } from "./schema-shape.js";
import { pathText, valueText } from "./value-text.js";

type Path = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;

export interface Coercion {
  readonly value: unknown;
  /** One sentence for each change. */
  readonly notes: readonly string[];
}

export interface CoercionOptions {
  /** Leave out fields that the schema does not allow. Only for tools that change nothing: an ignored field may matter. */
  readonly dropUnknown: boolean;
}

/**
 * Mends arguments where the schema leaves one reading only: a JSON text where no string is allowed, `null` for an
 * optional field, one object where a list of objects is wanted. A string is never parsed where a string is allowed.
 */
export function coerceArguments(schema: unknown, value: unknown, options: CoercionOptions): Coercion {
  const notes: string[] = [];
  const start = value === undefined || value === null || value === "" ? {} : value;
  const state: State = {
    shape: createSchemaShape(schema),
    dropUnknown: options.dropUnknown,
    note: (text) => notes.push(text),
  };
  return { value: coerceAt(state, { schema, value: start, path: [] }), notes };
}

interface State {
  readonly shape: SchemaShape;
  readonly dropUnknown: boolean;
  readonly note: (text: string) => void;
}

interface Place {
  readonly schema: unknown;
  readonly value: unknown;
  readonly path: Path;
}

function coerceAt(state: State, { schema, value, path }: Place): unknown {
  const types = state.shape.types(schema);
  const mended = accepts(types, value) ? { value } : mend(state, { schema, value, path }, types);
  if (mended.note !== undefined) state.note(`${pathText(path)}: ${mended.note}`);
  const inner = { schema, value: mended.value, path };
  if (Array.isArray(mended.value)) return coerceItems(state, inner, mended.value);
  if (isObject(mended.value)) return coerceFields(state, inner, mended.value);
  return mended.value;
}

interface Mended {
  readonly value: unknown;
  readonly note?: string;
}

function mend(state: State, { schema, value }: Place, types: ReadonlySet<JsonType>): Mended {
  if (typeof value === "string") return mendText(value, types);
  if (Number.isSafeInteger(value) && types.has("string")) {
    return { value: String(value), note: `${value} read as the text "${value}"` };
  }
  if (isObject(value) && types.has("array") && itemsAccept(state, schema, value)) {
    return { value: [value], note: "one object read as a list of one" };
  }
  return { value };
}

function mendText(text: string, types: ReadonlySet<JsonType>): Mended {
  const parsed = jsonOf(text.trim());
  if (parsed === undefined || !accepts(types, parsed)) return { value: text };
  const type = typeOfValue(parsed);
  if (type === "array" || type === "object")
    return { value: parsed, note: `text read as the JSON ${type} in it` };
  return { value: parsed, note: `${valueText(text)} read as ${valueText(parsed)}` };
}

/** Python spells its booleans with a capital; everything else is JSON or nothing. */
function jsonOf(text: string): unknown {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (!/^[[{\d-]|^null$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" || (typeof value === "number" && !Number.isFinite(value))
      ? undefined
      : value;
  } catch {
    // Not JSON: the value stays as it came, and validation names it.
    return undefined;
  }
}

function itemsAccept(state: State, schema: unknown, value: unknown): boolean {
  return state.shape
    .applicable(schema, [])
    .some((part) => part.items !== undefined && accepts(state.shape.types(part.items), value));
}

function coerceItems(state: State, { schema, path }: Place, list: readonly unknown[]): unknown {
  const parts = state.shape.applicable(schema, list);
  return list.map((value, index) => {
    const schemas = parts.flatMap(({ prefixItems, items }) => {
      const wanted = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
      return wanted === undefined ? [] : [wanted];
    });
    return schemas.length === 0
      ? value
      : coerceAt(state, { schema: all(schemas), value, path: [...path, index] });
  });
}

function coerceFields(state: State, { schema, path }: Place, fields: Fields): unknown {
  const parts = state.shape.applicable(schema, fields);
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const at = [...path, name];
    if (state.dropUnknown && parts.some((part) => forbids(part, name))) {
      state.note(`${pathText(at)} ignored: there is no such field`);
      continue;
    }
    const schemas = parts.flatMap((part) => fieldSchemas(part, name));
    const wanted = all(schemas);
    if (value === null && !required.has(name) && !accepts(state.shape.types(wanted), null)) {
      state.note(`${pathText(at)}: null left out`);
      continue;
    }
    kept.push([name, schemas.length === 0 ? value : coerceAt(state, { schema: wanted, value, path: at })]);
  }
  return Object.fromEntries(kept);
}

function forbids(part: Fields, name: string): boolean {
  return part.additionalProperties === false && namedSchemas(part, name).length === 0;
}

function fieldSchemas(part: Fields, name: string): readonly unknown[] {
  const named = namedSchemas(part, name);
  return named.length > 0 || part.additionalProperties === undefined ? named : [part.additionalProperties];
}

function namedSchemas({ properties, patternProperties }: Fields, name: string): readonly unknown[] {
  const exact = isObject(properties) ? own(properties, name) : undefined;
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const matching = patterns.filter(([pattern]) => matches(pattern, name)).map(([, schema]) => schema);
  return exact === undefined ? matching : [exact, ...matching];
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    // A pattern that does not compile makes validation fail with its own message.
    return false;
  }
}

function all(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { allOf: schemas };
}
