import { isObject, type JsonSchema } from "@ashlar/context";

/** True when OpenAI takes the schema with `strict`: every object is closed and requires all its properties. */
export function isStrictSchema(schema: JsonSchema): boolean {
  return schema.type === "object" && fits(schema);
}

function fits(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(fits);
  if (!isObject(value)) return true;
  return isClosed(value) && Object.values(value).every(fits);
}

function isClosed(schema: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(schema.properties)) return schema.type !== "object" || schema.additionalProperties === false;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return (
    schema.additionalProperties === false &&
    Object.keys(schema.properties).every((name) => required.includes(name))
  );
}
