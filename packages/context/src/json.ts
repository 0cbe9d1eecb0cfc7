export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema (2020-12) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
