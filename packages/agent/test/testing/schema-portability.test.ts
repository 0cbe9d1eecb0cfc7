import { expect, it } from "vitest";
import { portabilityProblems } from "../../src/testing/schema-portability.js";

const text = { type: "string", description: "Some text." };

it.each([
  { why: "no arguments", schema: { type: "object" } },
  {
    why: "anyOf, which all servers take",
    schema: { type: "object", properties: { a: { ...text, anyOf: [text] } } },
  },
  {
    why: "a reference to what is described elsewhere",
    schema: { type: "object", properties: { a: { $ref: "#/$defs/text" } }, $defs: { text } },
  },
  {
    why: "a part without a description inside an argument with one",
    schema: {
      type: "object",
      properties: {
        range: { type: "object", description: "Lines.", properties: { from: { type: "integer" } } },
      },
    },
  },
  {
    why: "an argument that has the name of a keyword",
    schema: { type: "object", properties: { not: text, oneOf: text } },
  },
])("takes $why", ({ schema }) => {
  expect(portabilityProblems(schema)).toEqual([]);
});

it.each([
  { why: "no schema", schema: true, problem: "inputSchema.type" },
  {
    why: "arguments that may be an array",
    schema: { type: ["object", "array"] },
    problem: "inputSchema.type",
  },
  { why: "a choice at the top", schema: { type: "object", oneOf: [{}] }, problem: "inputSchema has oneOf" },
  {
    why: "a combination inside a list of a definition",
    schema: { type: "object", $defs: { row: { type: "array", items: { allOf: [{}] } } } },
    problem: "inputSchema.$defs.row.items has allOf",
  },
  {
    why: "a denial inside an alternative",
    schema: { type: "object", properties: { a: { ...text, anyOf: [{ not: {} }] } } },
    problem: "inputSchema.properties.a.anyOf[0] has not",
  },
  {
    why: "a blank description",
    schema: { type: "object", properties: { a: { type: "string", description: " " } } },
    problem: "inputSchema.properties.a has no description",
  },
])("names the place of $why", ({ schema, problem }) => {
  expect(portabilityProblems(schema)).toEqual([expect.stringContaining(problem)]);
});
