import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord, recordOf, type UnknownRecord } from "../../src/record.js";
import { SchemaProblem, shapeSchema } from "../../src/request/tool-schema.js";

/** A tool as a schema generator writes it: references, one of them recursive. */
const REFERENCES = {
  type: "object",
  required: ["q"],
  additionalProperties: false,
  properties: { q: { $ref: "#/$defs/Q" }, tree: { $ref: "#/$defs/Node" } },
  $defs: {
    Q: {
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" }, max: { type: "integer", default: 5 } },
    },
    Node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } } },
  },
};

describe("a schema with references", () => {
  const { parameters } = shapeSchema(REFERENCES);

  it("has them put in place, with what they require", () => {
    expect(recordOf(parameters.properties).q).toEqual({
      type: "object",
      required: ["text"],
      properties: {
        text: { type: "string" },
        max: { type: "integer", default: 5, description: "Default 5" },
      },
    });
  });

  it("keeps required and additionalProperties", () => {
    expect(parameters).toMatchObject({ required: ["q"], additionalProperties: false });
  });

  it("stops at a recursive one, which still resolves", () => {
    const kids = recordOf(recordOf(recordOf(parameters.properties).tree).properties).kids;
    expect(recordOf(kids).items).toEqual({
      type: "object",
      description: "The same shape as Node",
      $ref: "#/$defs/Node",
    });
    expect(unresolved(parameters)).toEqual([]);
  });

  it.each([
    { why: "JSON Pointer escapes", $ref: "#/$defs/a~1b~0c" },
    { why: "per cent escapes", $ref: "#/%24defs/a~1b~0c" },
  ])("reads $why", ({ $ref }) => {
    const schema = { properties: { x: { $ref } }, $defs: { "a/b~c": { type: "number" } } };
    expect(shapeSchema(schema).parameters.properties).toEqual({ x: { type: "number" } });
  });

  it("lets what stands beside a reference win", () => {
    const schema = {
      properties: { x: { $ref: "#/$defs/N", description: "Mine" } },
      $defs: { N: { type: "number", description: "Theirs" } },
    };
    expect(shapeSchema(schema).parameters.properties).toEqual({ x: { type: "number", description: "Mine" } });
  });

  it("stays small when references multiply", () => {
    const $defs: Record<string, unknown> = { L0: { type: "string" } };
    for (let level = 1; level <= 20; level += 1) {
      const below = { $ref: `#/$defs/L${level - 1}` };
      $defs[`L${level}`] = { type: "object", properties: { a: below, b: below, c: below } };
    }
    const shaped = shapeSchema({
      type: "object",
      properties: { top: { $ref: "#/$defs/L20" } },
      $defs,
    }).parameters;
    expect(JSON.stringify(shaped).length).toBeLessThan(1_000_000);
    expect(unresolved(shaped)).toEqual([]);
  });
});

describe("keywords that Ollama drops", () => {
  it.each([
    { schema: { type: "integer", minimum: 1, maximum: 9 }, description: "At least 1; at most 9" },
    {
      schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      description: "More than 0; less than 1",
    },
    { schema: { type: "number", multipleOf: 5 }, description: "A multiple of 5" },
    {
      schema: { type: "string", description: "Name.", minLength: 1 },
      description: "Name. (at least 1 character)",
    },
    {
      schema: { type: "string", maxLength: 80, pattern: "^a" },
      description: "At most 80 characters; matches the regular expression ^a",
    },
    {
      schema: { type: "string", format: "date-time", default: "now" },
      description: 'Format date-time; default "now"',
    },
    {
      schema: { type: "array", minItems: 1, maxItems: 2, uniqueItems: true },
      description: "At least 1 item; at most 2 items; no item twice",
    },
    {
      schema: { type: "object", additionalProperties: false, minProperties: 2 },
      description: "No other properties; at least 2 properties",
    },
    { schema: { type: "string", examples: ["a"] }, description: 'For example ["a"]' },
    { schema: { not: { type: "null" } }, description: 'Not {"type":"null"}' },
    { schema: { type: "string", title: "T", $comment: "c", deprecated: true }, description: undefined },
  ])("stand in the description of $schema", ({ schema, description }) => {
    const x = recordOf(recordOf(shapeSchema({ properties: { x: schema } }).parameters.properties).x);
    expect(x.description).toBe(description);
  });

  it("become what is passed on, where that exists", () => {
    const schema = {
      properties: {
        one: { oneOf: [{ type: "string" }, { type: "number", minimum: 1 }] },
        all: {
          allOf: [
            { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
            { properties: { b: { type: "string" } }, required: ["b"], minProperties: 2 },
          ],
        },
        constant: { const: "x" },
      },
    };
    expect(shapeSchema(schema).parameters.properties).toEqual({
      one: { anyOf: [{ type: "string" }, { type: "number", minimum: 1, description: "At least 1" }] },
      all: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        required: ["a", "b"],
        minProperties: 2,
        description: "At least 2 properties",
      },
      constant: { enum: ["x"] },
    });
  });

  it("at the top go into the tool's own description", () => {
    expect(shapeSchema({ type: "object", properties: {}, additionalProperties: false }).notes).toEqual([
      "No other properties",
    ]);
  });

  it("turns a choice at the top into one set of arguments and says the rule", () => {
    const { parameters, notes } = shapeSchema({
      type: "object",
      oneOf: [
        { properties: { id: { type: "number" }, at: { type: "string" } }, required: ["at", "id"] },
        { properties: { name: { type: "string" }, at: { type: "string" } }, required: ["at", "name"] },
      ],
    });
    expect(Object.keys(recordOf(parameters.properties))).toEqual(["id", "at", "name"]);
    expect(parameters.required).toEqual(["at"]);
    expect(notes).toEqual(["Give one of these sets of arguments: at, id | at, name"]);
  });
});

describe("a schema that no model could be told", () => {
  it.each([
    {
      why: "a reference to nothing",
      schema: { properties: { x: { $ref: "#/$defs/Nope" } } },
      says: "#/$defs/Nope",
    },
    {
      why: "a reference out of the document",
      schema: { properties: { x: { $ref: "https://e.org/s" } } },
      says: "leads out",
    },
    {
      why: "a reference to itself",
      schema: { properties: { x: { $ref: "#/$defs/A" } }, $defs: { A: { $ref: "#/$defs/A" } } },
      says: "refers to itself",
    },
    {
      why: "branches that lead round in a circle",
      schema: { properties: { x: { allOf: [{ $ref: "#/properties/x" }] } } },
      says: "refers to itself",
    },
    { why: "properties that are a list", schema: { properties: [] }, says: '"properties" is []' },
    { why: "a property that is a text", schema: { properties: { x: "string" } }, says: '"x" is "string"' },
  ])("is a problem that says so: $why", ({ schema, says }) => {
    expect(() => shapeSchema(schema)).toThrow(SchemaProblem);
    expect(() => shapeSchema(schema)).toThrow(says);
  });
});

describe("branches that multiply", () => {
  it("are refused instead of followed", () => {
    const $defs: Record<string, unknown> = { L0: { type: "object" } };
    for (let level = 1; level <= 30; level += 1) {
      $defs[`L${level}`] = { allOf: [{ $ref: `#/$defs/L${level - 1}` }, { $ref: `#/$defs/L${level - 1}` }] };
    }
    expect(() => shapeSchema({ properties: { x: { $ref: "#/$defs/L30" } }, $defs })).toThrow(SchemaProblem);
  });
});

describe("any schema", () => {
  const name = fc.constantFrom("a", "b", "__proto__", "constructor", "é🙂");
  const reference = fc.constantFrom("#", "#/$defs/A", "#/$defs/B", "#/properties/a", "#/$defs/Nope");
  const { node } = fc.letrec<{ node: UnknownRecord }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.record(
        { type: fc.constantFrom("string", "integer"), minimum: fc.integer(), default: fc.jsonValue() },
        { requiredKeys: [] },
      ),
      fc.record({ $ref: reference }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(name, tie("node"), { maxKeys: 3 }),
      }),
      fc.record({ type: fc.constant("array"), items: tie("node") }),
      fc.record(
        { anyOf: fc.array(tie("node"), { maxLength: 3 }), oneOf: fc.array(tie("node"), { maxLength: 2 }) },
        { requiredKeys: [] },
      ),
      fc.record({ allOf: fc.array(tie("node"), { maxLength: 3 }) }),
    ),
  }));
  const schema = fc.record({
    type: fc.constant("object"),
    properties: fc.dictionary(name, node, { maxKeys: 4 }),
    $defs: fc.record({ A: node, B: node }),
  });

  it("is shaped in bounded size with references that resolve, or refused as a problem", () => {
    fc.assert(
      fc.property(schema, (input) => {
        let parameters: UnknownRecord;
        try {
          ({ parameters } = shapeSchema(input));
        } catch (error) {
          expect(error).toBeInstanceOf(SchemaProblem);
          return;
        }
        expect(JSON.stringify(parameters).length).toBeLessThan(5_000_000);
        const { $defs: _, ...shown } = parameters;
        expect(unresolved(shown, parameters)).toEqual([]);
        expect(Object.keys(recordOf(parameters.properties))).toEqual(
          expect.arrayContaining(Object.keys(input.properties)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("that is 200 KB large goes through", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `p${index}`,
        { type: "string", description: "d".repeat(80) },
      ]),
    );
    expect(
      Object.keys(recordOf(shapeSchema({ type: "object", properties }).parameters.properties)),
    ).toHaveLength(2000);
  });

  it("that is thousands of levels deep is cut, not followed", () => {
    let deep: UnknownRecord = { type: "string" };
    for (let level = 0; level < 5000; level += 1) deep = { type: "object", properties: { deeper: deep } };
    const text = JSON.stringify(shapeSchema(deep).parameters);
    expect(text).toContain("Deeper levels are left out");
    expect(text.length).toBeLessThan(10_000);
  });
});

/** References in a value that lead to nothing in `root`. */
function unresolved(value: unknown, root: UnknownRecord = recordOf(value)): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => unresolved(entry, root));
  if (!isRecord(value)) return [];
  const { $ref } = value;
  const inner = Object.values(value).flatMap((entry) => unresolved(entry, root));
  if (typeof $ref !== "string") return inner;
  const target = $ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, step) => recordOf(at)[step], root);
  return isRecord(target) ? inner : [...inner, $ref];
}
