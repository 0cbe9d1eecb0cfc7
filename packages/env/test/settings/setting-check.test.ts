import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coreSettings } from "../../src/settings/core-settings.js";
import { checkSetting, uncheckedKeywords } from "../../src/settings/setting-check.js";

const ajv = new Ajv2020({ strict: false });
const schemas: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.entries(coreSettings()).map(([key, { schema }]) => [key, schema])),
  limits: { type: "integer", minimum: -2, maximum: 5 },
  open: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
  either: { type: ["string", "null"] },
  choice: { enum: ["low", "high", 3, null] },
  fixed: { const: { a: 1 } },
  closed: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "string", minLength: 2 } },
    required: ["a"],
    additionalProperties: false,
  },
  names: {
    type: "object",
    propertyNames: { pattern: "^[a-c]+$" },
    additionalProperties: { type: "boolean" },
  },
  nested: { type: "array", items: { anyOf: [{ type: "array", items: { type: "number" } }, { const: "x" }] } },
};

const leaf = fc.oneof(
  fc.integer({ min: -3, max: 7 }),
  fc.double({ min: -1, max: 2, noNaN: true }),
  fc.constantFrom("", "a", "low", "x", "30s", "5 m", "soon", null, true, false),
);
const key = fc.constantFrom("a", "b", "ab", "zz", "url", "provider", "tools", "models", "disabled", "filter");
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

describe("the check of settings", () => {
  it.each(Object.entries(schemas))("agrees with ajv on %s", (_, schema) => {
    const validate = ajv.compile(schema);
    expect(uncheckedKeywords(schema)).toEqual([]);
    fc.assert(
      fc.property(value, (candidate) => {
        expect(checkSetting(schema, candidate) === undefined).toBe(validate(candidate));
      }),
      { numRuns: 300 },
    );
  });

  it("says which keywords it would not check, however deep", () => {
    const schema = { type: "object", properties: { a: { items: { anyOf: [{ not: {} }] } } }, allOf: [] };
    expect(uncheckedKeywords(schema)).toEqual(["not", "allOf"]);
    expect(uncheckedKeywords({ title: "t", description: "d", default: 1, examples: [], "x-own": 1 })).toEqual(
      [],
    );
  });

  it.each([
    { schema: { type: "integer", minimum: 1 }, value: 0, wanted: "an integer of at least 1", given: "0" },
    { schema: { type: ["string", "null"] }, value: [1], wanted: "a text or null", given: "a list" },
    { schema: { enum: ["low", "high"] }, value: "mid", wanted: '"low" or "high"', given: '"mid"' },
    { schema: { type: "string" }, value: { a: 1 }, wanted: "a text", given: "an object" },
    {
      schema: { type: "boolean" },
      value: "x".repeat(99),
      wanted: "true or false",
      given: `"${"x".repeat(56)}...`,
    },
  ])("says what $wanted is wanted in place of $given", ({ schema, value: candidate, wanted, given }) => {
    expect(checkSetting(schema, candidate)).toEqual({ path: [], wanted, given });
  });

  it("names the deepest place", () => {
    const { schema } = coreSettings().providers ?? {};
    expect(checkSetting(schema, { lab: { models: {}, tools: { web: 1 } } })).toMatchObject({
      path: ["lab", "tools", "web"],
      wanted: "true or false",
      given: "1",
    });
  });
});
