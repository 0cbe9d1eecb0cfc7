import { isSettingsData, type SettingsPath, sameData } from "./settings-data.js";

/** A value that its schema does not allow. */
export interface SettingFault {
  /** Below the checked value; empty: the value itself. */
  readonly path: SettingsPath;
  readonly wanted: string;
  readonly given: string;
}

type Schema = Readonly<Record<string, unknown>>;

const CHECKED = new Set([
  "type",
  "enum",
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "pattern",
  "minLength",
  "items",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
  "anyOf",
]);
const NOTES = new Set(["title", "description", "default", "examples", "format", "$schema", "deprecated"]);

/** Keywords of a settings schema that would go unchecked. The answer to an assignment is synchronous, so ajv is not asked. */
export function uncheckedKeywords(schema: unknown): readonly string[] {
  if (!isSettingsData(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (NOTES.has(keyword) || keyword.startsWith("x-")) return [];
    if (!CHECKED.has(keyword)) return [keyword];
    if (keyword === "properties")
      return Object.values(isSettingsData(value) ? value : {}).flatMap(uncheckedKeywords);
    if (keyword === "anyOf") return Array.isArray(value) ? value.flatMap(uncheckedKeywords) : [];
    return ["items", "additionalProperties", "propertyNames"].includes(keyword)
      ? uncheckedKeywords(value)
      : [];
  });
}

/** The first fault, the deepest where several levels are concerned; undefined when the value is right. */
export function checkSetting(schema: unknown, value: unknown): SettingFault | undefined {
  return isSettingsData(schema) ? faultOf(schema, value) : undefined;
}

function faultOf(schema: Schema, value: unknown): SettingFault | undefined {
  const fault = { path: [], wanted: describeSchema(schema), given: describeValue(value) };
  const choices = schema.anyOf;
  if (Array.isArray(choices)) return faultOfChoices(choices.filter(isSettingsData), value, fault);
  if (!typesOf(schema).some((type) => hasType(value, type))) return fault;
  if (Array.isArray(schema.enum) && !schema.enum.some((choice) => sameData(choice, value))) return fault;
  if ("const" in schema && !sameData(schema.const, value)) return fault;
  if (typeof value === "number" && !numberFits(schema, value)) return fault;
  if (typeof value === "string" && !textFits(schema, value)) return fault;
  if (Array.isArray(value)) return faultInList(schema, value);
  return isSettingsData(value) ? faultInObject(schema, value) : undefined;
}

/** Of the choices whose type fits, the fault of the first says more than the list of all. */
function faultOfChoices(
  choices: readonly Schema[],
  value: unknown,
  fault: SettingFault,
): SettingFault | undefined {
  let deeper: SettingFault | undefined;
  for (const choice of choices) {
    const found = faultOf(choice, value);
    if (found === undefined) return undefined;
    if (found.path.length > 0) deeper ??= found;
  }
  return deeper ?? fault;
}

function faultInList(schema: Schema, list: readonly unknown[]): SettingFault | undefined {
  for (const [index, item] of list.entries()) {
    const found = checkSetting(schema.items, item);
    if (found !== undefined) return { ...found, path: [String(index), ...found.path] };
  }
  return undefined;
}

function faultInObject(schema: Schema, object: Schema): SettingFault | undefined {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  for (const key of required) {
    if (!Object.hasOwn(object, key))
      return { path: [], wanted: `an object with "${key}"`, given: "one without" };
  }
  for (const [key, value] of Object.entries(object)) {
    const found = checkSetting(schemaOfKey(schema, key), value);
    if (found !== undefined) return { ...found, path: [key, ...found.path] };
    if (schema.additionalProperties === false && schemaOfKey(schema, key) === undefined) {
      return { path: [key], wanted: "no such key", given: describeValue(value) };
    }
    const name = checkSetting(schema.propertyNames, key);
    if (name !== undefined) return { path: [key], wanted: `a key that is ${name.wanted}`, given: name.given };
  }
  return undefined;
}

/** The schema of what stands at a path below; undefined where the schema says nothing. */
export function schemaBelow(schema: unknown, path: SettingsPath): unknown {
  return path.reduce<unknown>((at, key) => (isSettingsData(at) ? schemaOfKey(at, key) : undefined), schema);
}

function schemaOfKey(schema: Schema, key: string): unknown {
  const { properties, additionalProperties } = schema;
  if (isSettingsData(properties) && Object.hasOwn(properties, key)) return properties[key];
  return isSettingsData(additionalProperties) ? additionalProperties : undefined;
}

function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined) return ["any"];
  return Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type)];
}

function hasType(value: unknown, type: string): boolean {
  if (type === "any") return true;
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isSettingsData(value);
  return typeof value === type;
}

function numberFits(schema: Schema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return (
    !(typeof minimum === "number" && value < minimum) &&
    !(typeof maximum === "number" && value > maximum) &&
    !(typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
  );
}

function textFits(schema: Schema, value: string): boolean {
  const { pattern, minLength } = schema;
  if (typeof minLength === "number" && [...value].length < minLength) return false;
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(value);
}

/** `an integer of at least 1`, `"low" or "high"`, `a list`. */
export function describeSchema(schema: Schema): string {
  if (Array.isArray(schema.anyOf)) {
    return schema.anyOf.map((choice) => describeSchema(isSettingsData(choice) ? choice : {})).join(" or ");
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((choice) => JSON.stringify(choice)).join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const named = typeof schema["x-is"] === "string" ? schema["x-is"] : undefined;
  return (named ?? typesOf(schema).map(typeName).join(" or ")) + describeLimits(schema, named !== undefined);
}

function describeLimits(schema: Schema, named: boolean): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern, minLength } = schema;
  const limits = [
    typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? `of at least ${minimum}` : "",
    typeof exclusiveMinimum === "number" ? `above ${exclusiveMinimum}` : "",
    typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? `of at most ${maximum}` : "",
    typeof exclusiveMaximum === "number" ? `below ${exclusiveMaximum}` : "",
    typeof pattern === "string" && !named ? `like ${pattern}` : "",
    typeof minLength === "number" ? "that is not empty" : "",
  ].filter((limit) => limit !== "");
  return limits.length === 0 ? "" : ` ${limits.join(" and ")}`;
}

function typeName(type: string): string {
  const names: Readonly<Record<string, string>> = {
    any: "anything",
    null: "null",
    array: "a list",
    object: "an object",
    integer: "an integer",
    string: "a text",
    boolean: "true or false",
    number: "a number",
  };
  return names[type] ?? type;
}

/** The value as an error may show it. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isSettingsData(value)) return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
