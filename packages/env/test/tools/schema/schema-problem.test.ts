import { describe, expect, it } from "vitest";
import { schemaProblem } from "../../../src/tools/schema/schema-problem.js";
import { referencing } from "./reference-schemas.js";

const large = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `field${index}`,
      { type: "string", description: "x".repeat(160) },
    ]),
  ),
};

describe("schemaProblem", () => {
  it.each([
    { why: "references into $defs and a recursive node", schema: referencing },
    { why: "200 KB of fields", schema: large },
    { why: "a reference to the whole", schema: { type: "object", properties: { kids: { $ref: "#" } } } },
    { why: "an anchor", schema: { properties: { a: { $ref: "#A" } }, $defs: { x: { $anchor: "A" } } } },
    {
      why: "an absolute reference to itself",
      schema: { $id: "urn:t", properties: { a: { $ref: "urn:t#/$defs/a" } }, $defs: { a: true } },
    },
    {
      why: "escaped parts of a pointer",
      schema: { $defs: { "a/b~c %": {} }, properties: { x: { $ref: "#/$defs/a~1b~0c%20%25" } } },
    },
    { why: "a field that is named $ref", schema: { properties: { $ref: { type: "string" } } } },
    { why: "nothing but the type", schema: { type: "object" } },
  ])("accepts $why", ({ schema }) => {
    expect(schemaProblem(schema)).toBeUndefined();
  });

  it.each([
    {
      why: "a reference to nothing",
      schema: { properties: { q: { $ref: "#/$defs/Nope" } } },
      says: '"#/$defs/Nope" points at nothing',
    },
    {
      why: "a reference to another document",
      schema: { properties: { q: { $ref: "https://x.example/s" } } },
      says: "points at nothing",
    },
    {
      why: "a reference through __proto__",
      schema: { properties: { q: { $ref: "#/__proto__" } } },
      says: "points at nothing",
    },
    {
      why: "properties as a list",
      schema: { type: "object", properties: [] },
      says: "inputSchema.properties must be an object",
    },
    {
      why: "a property that is no schema",
      schema: { properties: { a: "string" } },
      says: "inputSchema.properties.a must be a schema",
    },
    {
      why: "an unknown type",
      schema: { properties: { a: { type: "text" } } },
      says: '"text" is no JSON type',
    },
    { why: "required as a word", schema: { required: "a" }, says: "inputSchema.required" },
    {
      why: "an empty anyOf",
      schema: { properties: { a: { anyOf: [] } } },
      says: "inputSchema.properties.a.anyOf",
    },
    { why: "arguments that are a list", schema: { type: "array" }, says: 'must be "object"' },
    { why: "more than 512 KB", schema: { description: "x".repeat(600_000) }, says: "characters long" },
    { why: "more than 100 levels", schema: nested(150), says: "deeper than 100" },
    { why: "a second $id inside", schema: { properties: { a: { $id: "urn:b" } } }, says: "$id" },
  ])("refuses $why and names the place", ({ schema, says }) => {
    expect(schemaProblem(schema)).toContain(says);
  });
});

function nested(depth: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = { type: "object", properties: { in: schema } };
  return schema;
}
