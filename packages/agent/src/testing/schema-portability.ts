import { isObject } from "../loop/json-object.js";

/** Not every server that takes tools takes these. */
const REFUSED = ["oneOf", "allOf", "not", "if", "then", "else", "patternProperties"] as const;
const LISTS = ["anyOf", "prefixItems"] as const;
const SINGLE = ["items", "additionalProperties"] as const;
const NAMED = ["properties", "$defs", "definitions"] as const;

/** What keeps a schema from being understood by every model and server, one text a place. */
export function portabilityProblems(schema: unknown): readonly string[] {
  if (!isObject(schema) || schema.type !== "object")
    return ['inputSchema.type is not "object", and arguments always are one'];
  return [...undescribed(schema.properties), ...problemsOf(schema, "inputSchema")];
}

function problemsOf(schema: unknown, at: string): readonly string[] {
  if (!isObject(schema)) return [];
  const refused = REFUSED.filter((keyword) => schema[keyword] !== undefined).map(
    (keyword) => `${at} has ${keyword}, which not every server understands`,
  );
  return [...refused, ...partProblems(schema, at)];
}

/** Arguments; what is inside one may be told of in its description, and what one refers to where it is defined. */
function undescribed(properties: unknown): readonly string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .filter(([, property]) => {
      if (!isObject(property) || property.$ref !== undefined) return false;
      return typeof property.description !== "string" || property.description.trim() === "";
    })
    .map(([name]) => `inputSchema.properties.${name} has no description`);
}

function partProblems(schema: Readonly<Record<string, unknown>>, at: string): readonly string[] {
  const lists = LISTS.flatMap((keyword) => {
    const parts: unknown = schema[keyword];
    return Array.isArray(parts) ? parts.map((part, index) => [part, `${keyword}[${index}]`] as const) : [];
  });
  const named = NAMED.flatMap((keyword) => {
    const parts = schema[keyword];
    return isObject(parts)
      ? Object.entries(parts).map(([name, part]) => [part, `${keyword}.${name}`] as const)
      : [];
  });
  const single = SINGLE.map((keyword) => [schema[keyword], keyword] as const);
  return [...lists, ...named, ...single].flatMap(([part, place]) => problemsOf(part, `${at}.${place}`));
}
