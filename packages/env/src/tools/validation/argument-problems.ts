import { nearestName } from "@ashlar/context";
import type { ErrorObject } from "ajv/dist/2020.js";
import { isObject, own } from "../schema/plain-object.js";
import { type JsonType, type SchemaShape, typeOfValue } from "./schema-shape.js";
import { pathText, valueText } from "./value-text.js";

const MAX_PROBLEMS = 8;

export interface ProblemInput {
  readonly errors: readonly ErrorObject[];
  readonly shape: SchemaShape;
  readonly args: unknown;
}

/** One sentence a failure, each naming the field, what is wanted and what came. At most eight, then their number. */
export function argumentProblems(input: ProblemInput): readonly string[] {
  const sentences = [...new Set(relevant(input.errors).map((error) => sentence(error, input)))];
  if (sentences.length <= MAX_PROBLEMS) return sentences;
  return [...sentences.slice(0, MAX_PROBLEMS), `and ${sentences.length - MAX_PROBLEMS} more`];
}

/** The failures inside the branches of an `anyOf` say less than the `anyOf` itself, unless they lie deeper in the value. */
function relevant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const branching = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const deeper = (error: ErrorObject, group: ErrorObject): boolean =>
    error.instancePath.length > group.instancePath.length &&
    error.instancePath.startsWith(`${group.instancePath}/`);
  const within = (error: ErrorObject, group: ErrorObject): boolean =>
    error !== group && error.schemaPath.startsWith(`${group.schemaPath}/`);
  return errors.filter((error) => {
    if (error.keyword === "if") return false;
    if (branching.some((group) => within(error, group) && !deeper(error, group))) return false;
    return (
      !branching.includes(error) || !errors.some((other) => within(other, error) && deeper(other, error))
    );
  });
}

function sentence(error: ErrorObject, input: ProblemInput): string {
  const path = valuePath(error.instancePath, input.args);
  const came = `came ${described(error.data)}`;
  switch (error.keyword) {
    case "required":
      return `${pathText([...path, error.params.missingProperty])} is missing: wanted ${wantedField(error, input)}`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownField(error, path);
    case "type":
    case "anyOf":
    case "oneOf":
      return `${pathText(path)}: wanted ${wanted(input.shape.types(error.parentSchema))}, ${came}`;
    case "enum":
      return `${pathText(path)}: wanted one of ${valueText(error.params.allowedValues)}, ${came}`;
    case "const":
      return `${pathText(path)}: wanted ${valueText(error.params.allowedValue)}, ${came}`;
    default:
      return `${pathText(path)}: ${error.message ?? `fails ${error.keyword}`}, ${came}`;
  }
}

/** `/edits/0/a~1b` → `["edits", 0, "a/b"]`. */
function valuePath(pointer: string, args: unknown): readonly (string | number)[] {
  let at: unknown = args;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const key = Array.isArray(at) ? Number(name) : name;
      at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined;
      return key;
    });
}

function wantedField(error: ErrorObject, { shape }: ProblemInput): string {
  const properties: unknown = error.parentSchema?.properties;
  const field = isObject(properties) ? own(properties, error.params.missingProperty) : undefined;
  const about = isObject(field) && typeof field.description === "string" ? ` (${field.description})` : "";
  return `${wanted(shape.types(field))}${about}`;
}

function unknownField(error: ErrorObject, path: readonly (string | number)[]): string {
  const name: string = error.params.additionalProperty ?? error.params.unevaluatedProperty;
  const properties: unknown = error.parentSchema?.properties;
  const known = isObject(properties) ? Object.keys(properties) : [];
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  const fields = known.length === 0 ? "no fields are allowed here" : `the fields are ${known.join(", ")}`;
  return `${pathText([...path, name])} is no field of this tool; ${fields}.${hint}`;
}

function wanted(types: ReadonlySet<JsonType>): string {
  const names = [...types].filter((type) => type !== "integer" || !types.has("number"));
  if (names.length === 0) return "nothing";
  return names.length > 6 ? "any value" : names.join(" or ");
}

function described(value: unknown): string {
  const type = typeOfValue(value);
  return type === "null" ? "null" : `${type} ${valueText(value)}`;
}
