import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isEnvError } from "../../../src/env-error.js";
import { jsonSchemaOf } from "../../../src/tools/schema/json-schema-of.js";

function failureOf(schema: never): unknown {
  try {
    return jsonSchemaOf(schema);
  } catch (cause) {
    return cause;
  }
}

describe("jsonSchemaOf", () => {
  it("converts a zod schema through its standard door", () => {
    const schema = z.object({ path: z.string(), limit: z.number().optional() });
    expect(jsonSchemaOf(schema)).toEqual({
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "number" } },
      required: ["path"],
    });
  });

  it("keeps a JSON Schema as it is, its dialect taken out", () => {
    const schema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", required: ["a"] };
    expect(jsonSchemaOf(schema)).toEqual({ type: "object", required: ["a"] });
  });

  it("takes a library's schema that is a function", () => {
    const schema = Object.assign(() => {}, {
      "~standard": {
        version: 1 as const,
        vendor: "callable",
        jsonSchema: { input: () => ({ type: "object" }) },
      },
    });
    expect(jsonSchemaOf(schema)).toEqual({ type: "object" });
  });

  it("keeps a field named __proto__ as a field", () => {
    const schema = jsonSchemaOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'));
    expect(JSON.stringify(schema)).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });

  it.each([
    {
      why: "a library that cannot convert",
      schema: { "~standard": { version: 1, vendor: "old" } },
      says: "old",
    },
    { why: "a type without a JSON Schema", schema: z.object({ when: z.date() }), says: "zod" },
    { why: "a cycle of objects", schema: cyclic(), says: "plain JSON" },
    { why: "a list", schema: [], says: "object" },
    { why: "a function that is no schema", schema: () => {}, says: "object" },
  ])("refuses $why and says so", ({ schema, says }) => {
    const failure = failureOf(schema as never);
    expect(isEnvError(failure) && failure.kind).toBe("tool");
    expect(String(failure)).toContain(says);
  });
});

function cyclic(): object {
  const schema: Record<string, unknown> = { type: "object" };
  schema.properties = { self: schema };
  return schema;
}
