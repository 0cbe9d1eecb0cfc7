import type { JsonSchema, StandardSchema } from "@ashlar/context/tool";
import { EnvError } from "../../env-error.js";
import { isObject } from "./plain-object.js";

/** The JSON Schema (2020-12, plain data) of what an author wrote. Throws kind `tool` for what cannot be converted. */
export function jsonSchemaOf(schema: JsonSchema | StandardSchema): JsonSchema {
  const { $schema: _dialect, ...plain } = plainJson(isStandardSchema(schema) ? converted(schema) : schema);
  return plain;
}

function isStandardSchema(schema: JsonSchema | StandardSchema): schema is StandardSchema {
  if (typeof schema !== "function" && !isObject(schema)) return false;
  return "~standard" in schema && isObject(schema["~standard"]);
}

function converted(schema: StandardSchema): unknown {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new EnvError(
      "tool",
      `The ${vendor} schema cannot give a JSON Schema of itself (no ~standard.jsonSchema). Use a newer ${vendor}, or write the JSON Schema.`,
      {},
    );
  }
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    throw new EnvError("tool", `The ${vendor} schema has no JSON Schema: ${reason(cause)}`, {}, { cause });
  }
}

function plainJson(schema: unknown): JsonSchema {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
  } catch (cause) {
    throw new EnvError("tool", `inputSchema is not plain JSON: ${reason(cause)}`, {}, { cause });
  }
  const plain: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(plain)) throw new EnvError("tool", "inputSchema must be a JSON Schema object", {});
  return plain;
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
