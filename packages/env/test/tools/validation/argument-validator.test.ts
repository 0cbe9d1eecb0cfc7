import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createArgumentValidator } from "../../../src/tools/validation/argument-validator.js";
import { referencing } from "../schema/reference-schemas.js";

const { validate } = createArgumentValidator();

const string = { type: "string" };
const edit = {
  type: "object",
  additionalProperties: false,
  required: ["path", "edits"],
  properties: {
    path: string,
    edits: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["oldText", "newText"],
        properties: { oldText: string, newText: string },
      },
    },
  },
};
const readLike = {
  type: "object",
  additionalProperties: false,
  required: ["path"],
  properties: {
    path: { type: "string", description: "File to read." },
    offset: { type: "integer", minimum: 0 },
    limit: { type: "integer", minimum: 1 },
    deep: { type: "boolean" },
    glob: { anyOf: [string, { type: "array", items: string }] },
    mode: { enum: ["lines", "bytes"] },
    search: {
      type: "object",
      additionalProperties: false,
      properties: { text: string, before: { type: "integer" } },
    },
  },
};
const write = {
  type: "object",
  additionalProperties: false,
  required: ["path", "content"],
  properties: { path: string, content: string },
};
const one = { oldText: "x", newText: "y" };

describe("arguments that are right", () => {
  it.each([
    { why: "a string that looks like a list", schema: write, args: { path: "t.txt", content: "[1,2]" } },
    {
      why: "a string that looks like a number, where either may stand",
      schema: { properties: { v: { type: ["string", "integer"] } } },
      args: { v: "2" },
    },
    {
      why: "a glob text where a list may stand too",
      schema: readLike,
      args: { path: "a", glob: '["*.ts"]' },
    },
    { why: "a nested value behind references", schema: referencing, args: { q: { text: "a" } } },
    {
      why: "a recursive value",
      schema: referencing,
      args: { q: { text: "a" }, tree: { kids: [{ kids: [] }] } },
    },
    {
      why: "an unknown format",
      schema: { properties: { d: { type: "string", format: "date" } } },
      args: { d: "no date" },
    },
  ])("pass unchanged: $why", ({ schema, args }) => {
    const before = structuredClone(args);
    expect(validate(schema, args, true)).toEqual({ ok: true, args: before, notes: [] });
  });
});

describe("arguments that are almost right", () => {
  it.each([
    {
      why: "a list as JSON text",
      schema: edit,
      args: { path: "a.txt", edits: JSON.stringify([one]) },
      becomes: { path: "a.txt", edits: [one] },
      note: "edits: text read as the JSON array in it",
    },
    {
      why: "list items as JSON text",
      schema: edit,
      args: { path: "a.txt", edits: [JSON.stringify(one)] },
      becomes: { path: "a.txt", edits: [one] },
      note: "edits[0]: text read as the JSON object in it",
    },
    {
      why: "one object where a list of objects is wanted",
      schema: edit,
      args: { path: "a.txt", edits: one },
      becomes: { path: "a.txt", edits: [one] },
      note: "edits: one object read as a list of one",
    },
    {
      why: "a number as text",
      schema: readLike,
      args: { path: "a", offset: "2" },
      becomes: { path: "a", offset: 2 },
      note: 'offset: "2" read as 2',
    },
    {
      why: "a whole number with a point",
      schema: readLike,
      args: { path: "a", limit: "2.0" },
      becomes: { path: "a", limit: 2 },
      note: 'limit: "2.0" read as 2',
    },
    {
      why: "a boolean as Python writes it",
      schema: readLike,
      args: { path: "a", deep: "True" },
      becomes: { path: "a", deep: true },
      note: 'deep: "True" read as true',
    },
    {
      why: "a number where text is wanted",
      schema: readLike,
      args: { path: 404 },
      becomes: { path: "404" },
      note: 'path: 404 read as the text "404"',
    },
    {
      why: "null for an optional field",
      schema: readLike,
      args: { path: "a", limit: null },
      becomes: { path: "a" },
      note: "limit: null left out",
    },
    {
      why: "an object as JSON text, itself with a number as text",
      schema: readLike,
      args: { path: "a", search: '{"text":"x","before":"2"}' },
      becomes: { path: "a", search: { text: "x", before: 2 } },
      note: 'search.before: "2" read as 2',
    },
    {
      why: "an unknown field of a tool that changes nothing",
      schema: readLike,
      args: { path: "a.txt", reason: "because" },
      becomes: { path: "a.txt" },
      note: "reason ignored: there is no such field",
    },
    {
      why: "all arguments as one JSON text",
      schema: readLike,
      args: '{"path":"a"}',
      becomes: { path: "a" },
      note: "arguments: text read as the JSON object in it",
    },
    {
      why: "a value behind a reference",
      schema: referencing,
      args: { q: '{"text":"a"}' },
      becomes: { q: { text: "a" } },
      note: "q: text read as the JSON object in it",
    },
  ])("are mended and said so: $why", ({ schema, args, becomes, note }) => {
    const result = validate(schema, args, true);
    expect(result).toMatchObject({ ok: true, args: becomes });
    expect(result.ok && result.notes).toContain(note);
  });

  it.each([
    { why: "nothing", args: undefined },
    { why: "null", args: null },
    { why: "an empty text", args: "" },
  ])("count as no arguments: $why", ({ args }) => {
    expect(validate({ type: "object" }, args, true)).toEqual({ ok: true, args: {}, notes: [] });
  });

  it("chooses the branch of a union that a tag names", () => {
    const branch = (kind: string, type: string) => ({
      type: "object",
      required: ["kind"],
      properties: { kind: { const: kind }, value: { type } },
    });
    const schema = {
      type: "object",
      properties: { item: { anyOf: [branch("count", "integer"), branch("name", "string")] } },
    };
    expect(validate(schema, { item: { kind: "count", value: "3" } }, true)).toMatchObject({
      args: { item: { kind: "count", value: 3 } },
    });
    expect(validate(schema, { item: { kind: "name", value: "3" } }, true)).toMatchObject({
      args: { item: { kind: "name", value: "3" } },
    });
  });
});

describe("arguments that are wrong", () => {
  it.each([
    {
      why: "a list where text is wanted",
      schema: readLike,
      args: { path: ["a.txt"] },
      problems: ['path: wanted string, came array ["a.txt"]'],
    },
    {
      why: "a word where a number is wanted",
      schema: readLike,
      args: { path: "a", limit: "abc" },
      problems: ['limit: wanted integer, came string "abc"'],
    },
    {
      why: "a required field left out",
      schema: readLike,
      args: {},
      problems: ["path is missing: wanted string (File to read.)"],
    },
    {
      why: "an object where text is wanted",
      schema: write,
      args: { path: "c.json", content: { k: [1, 2] } },
      problems: ['content: wanted string, came object {"k":[1,2]}'],
    },
    {
      why: "null for a required field",
      schema: readLike,
      args: { path: null },
      problems: ["path: wanted string, came null"],
    },
    {
      why: "a number that is too small",
      schema: readLike,
      args: { path: "a", limit: 0 },
      problems: ["limit: must be >= 1, came integer 0"],
    },
    {
      why: "a word that is not on the list",
      schema: readLike,
      args: { path: "a", mode: "words" },
      problems: ['mode: wanted one of ["lines","bytes"], came string "words"'],
    },
    {
      why: "neither branch of a union",
      schema: readLike,
      args: { path: "a", glob: true },
      problems: ["glob: wanted string or array, came boolean true"],
    },
    {
      why: "one wrong item inside the branch that fits",
      schema: readLike,
      args: { path: "a", glob: ["*.ts", {}] },
      problems: ["glob[1]: wanted string, came object {}"],
    },
    {
      why: "half a JSON text",
      schema: edit,
      args: { path: "a", edits: '[{"oldText":"x"' },
      problems: ['edits: wanted array, came string "[{\\"oldText\\":\\"x\\""'],
    },
    {
      why: "several at once",
      schema: readLike,
      args: { limit: [], deep: "maybe" },
      problems: [
        "path is missing: wanted string (File to read.)",
        "limit: wanted integer, came array []",
        'deep: wanted boolean, came string "maybe"',
      ],
    },
    {
      why: "no object at all",
      schema: readLike,
      args: "read a.txt",
      problems: ['arguments: wanted a JSON object, came "read a.txt"'],
    },
    {
      why: "a list of arguments",
      schema: readLike,
      args: ["a.txt"],
      problems: ['arguments: wanted a JSON object, came ["a.txt"]'],
    },
  ])("name field, wanted and what came: $why", ({ schema, args, problems }) => {
    expect(validate(schema, args, true)).toEqual({ ok: false, problems });
  });

  it("keep an unknown field of a tool that changes something, because it may matter", () => {
    expect(validate(write, { path: "a", content: "b", apend: true }, false)).toEqual({
      ok: false,
      problems: ["apend is no field of this tool; the fields are path, content."],
    });
    const result = validate(write, { path: "a", contents: "b" }, false);
    expect(result.ok ? [] : result.problems).toContain(
      "contents is no field of this tool; the fields are path, content. Did you mean content?",
    );
  });

  it("are answered when they nest too deep to look at", () => {
    let args: unknown = {};
    for (let depth = 0; depth < 10_000; depth += 1) args = { kids: [args] };
    expect(validate(referencing, { q: { text: "a" }, tree: args }, true)).toEqual({
      ok: false,
      problems: ["arguments nest deeper than 200 levels"],
    });
  });

  it("are counted after the eighth problem", () => {
    const schema = { type: "object", properties: { n: { type: "array", items: { type: "integer" } } } };
    const result = validate(schema, { n: Array.from({ length: 20 }, (_, index) => `x${index}`) }, true);
    expect(result.ok ? [] : result.problems.at(-1)).toBe("and 12 more");
    expect(result.ok ? [] : result.problems).toHaveLength(9);
  });

  it("find one of millions without listing them all", () => {
    const schema = { type: "object", properties: { n: { type: "array", items: { type: "integer" } } } };
    const result = validate(schema, { n: Array.from({ length: 50_000 }, () => "x") }, true);
    expect(result).toEqual({ ok: false, problems: ['n[0]: wanted integer, came string "x"'] });
  });

  it("are mended against sixty definitions that all refer to each other", () => {
    const names = Array.from({ length: 60 }, (_, index) => `d${index}`);
    const anyOf = [{ type: "integer" }, ...names.map((name) => ({ $ref: `#/$defs/${name}` }))];
    const node = { type: "object", required: ["in"], properties: { in: { anyOf } } };
    const $defs = Object.fromEntries(names.map((name) => [name, node]));
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs };
    expect(validate(schema, { a: { in: "7" } }, true)).toMatchObject({ ok: true, args: { a: { in: 7 } } });
  });

  it("are answered when the schema goes round in a circle", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/d" } },
      $defs: { d: { anyOf: [{ $ref: "#/$defs/d" }] } },
    };
    const result = validate(schema, { a: "1" }, true);
    expect(result.ok ? "" : result.problems[0]).toContain("the tool's own inputSchema does not work");
  });

  it("name a tool whose schema does not compile", () => {
    const result = validate({ type: "object", properties: { a: { minimum: "low" } } }, {}, true);
    expect(result.ok ? "" : result.problems[0]).toContain("the tool's own inputSchema does not work");
  });
});

describe("any arguments", () => {
  const names = fc.constantFrom(
    "path",
    "offset",
    "limit",
    "deep",
    "glob",
    "search",
    "__proto__",
    "constructor",
    "toString",
  );
  const args = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }));

  it("either fit the schema afterwards or give problems, and are never changed in place", () => {
    fc.assert(
      fc.property(args, fc.boolean(), (input, safe) => {
        const before = JSON.stringify(input);
        const result = validate(readLike, input, safe);
        expect(JSON.stringify(input)).toBe(before);
        if (result.ok)
          expect(validate(readLike, result.args, safe)).toEqual({ ok: true, args: result.args, notes: [] });
        else expect(result.problems.length).toBeGreaterThan(0);
      }),
    );
  });

  it("keep every string where a string may stand", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (plain, value) => {
        for (const content of [plain, JSON.stringify(value)]) {
          expect(validate(write, { path: "a", content }, true)).toEqual({
            ok: true,
            args: { path: "a", content },
            notes: [],
          });
        }
      }),
    );
  });
});
