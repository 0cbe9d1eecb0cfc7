import fc from "fast-check";
import * as jsonc from "jsonc-parser";
import { expect, it } from "vitest";
import { sameData, withPath } from "../../src/settings/settings-data.js";
import { editSettingsText } from "../../src/settings/settings-edit.js";
import { parseSettingsText } from "../../src/settings/settings-text.js";

const edit = (text: string, path: readonly string[], value: unknown) =>
  editSettingsText(text, path, value, jsonc);

const commented = `{
  // where it runs
  "model": "m1", // the small one
  "allow": ["Read(//srv/**)", "a /* no comment */ b"], // both
  // the end
}
`;

it.each([
  {
    why: "a replaced value leaves every other byte alone",
    text: commented,
    path: ["model"],
    value: "m2",
    result: commented.replace('"m1"', '"m2"'),
  },
  {
    why: "a new key comes after the last comment, in the file's own style",
    text: commented,
    path: ["tools", "timeout"],
    value: 5,
    result: commented.replace("  // the end\n", '  // the end\n  "tools": {\n    "timeout": 5\n  },\n'),
  },
  {
    why: "a removed key takes its line, not its neighbours' comments",
    text: commented,
    path: ["allow"],
    value: undefined,
    result: commented.replace(/"allow".*(?=\/\/ both)/u, ""),
  },
  {
    why: "an object on one line stays on it",
    text: '{"a":{"b":1}}',
    path: ["a", "c"],
    value: 2,
    result: '{"a":{"b":1, "c": 2}}',
  },
  {
    why: "a trailing comma on one line",
    text: '{"a": 1,}',
    path: ["b"],
    value: 2,
    result: '{"a": 1, "b": 2}',
  },
  { why: "an empty object opens up", text: "{}\n", path: ["a"], value: 1, result: '{\n  "a": 1\n}\n' },
  { why: "an empty file", text: "", path: ["a", "b"], value: 1, result: '{\n  "a": {\n    "b": 1\n  }\n}\n' },
  { why: "a file of comments", text: "// mine", path: ["a"], value: 1, result: '// mine\n{\n  "a": 1\n}\n' },
  {
    why: "a byte order mark and CRLF",
    text: '\uFEFF{\r\n\t"a": 1\r\n}\r\n',
    path: ["b"],
    value: [2],
    result: '\uFEFF{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t2\r\n\t]\r\n}\r\n',
  },
  {
    why: "the comma goes before the last key's comment",
    text: '{\n  "a": 1 // one\n}',
    path: ["b"],
    value: 2,
    result: '{\n  "a": 1, // one\n  "b": 2\n}',
  },
  {
    why: "the last key goes with the comma before it",
    text: '{\n  "a": 1, // one\n  "b": 2\n}',
    path: ["b"],
    value: undefined,
    result: '{\n  "a": 1 // one\n}',
  },
  {
    why: "a scalar in the way becomes an object",
    text: '{ "a": 1 }',
    path: ["a", "b"],
    value: 2,
    result: '{ "a": {\n  "b": 2\n} }',
  },
  {
    why: "what is not there cannot be removed",
    text: '{ "a": 1 }',
    path: ["b", "c"],
    value: undefined,
    result: '{ "a": 1 }',
  },
])("$why", ({ text, path, value, result }) => {
  expect(edit(text, path, value)).toBe(result);
});

const key = fc.constantFrom("a", "b", "c", "d/e", "ü");
const value = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("", "//", "/* */", '"', "🙂\n"),
  ),
  list: fc.array(tie("leaf"), { maxLength: 3 }),
  object: fc.dictionary(key, tie("any"), { maxKeys: 3, noNullPrototype: true }),
  any: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("list"), tie("object")),
}));
const comment = fc.constantFrom("", " ", "\n", "/*~*/", "//~\n", "\n  ");

/** Prints data as a person might: comments and breaks anywhere, commas left over. */
function print(data: unknown, gaps: readonly string[], trailing: boolean): string {
  let at = 0;
  const gap = (): string => gaps[at++ % gaps.length] ?? "";
  const show = (inner: unknown): string => {
    if (Array.isArray(inner)) return `[${inner.map((item) => gap() + show(item)).join(",")}]`;
    if (typeof inner !== "object" || inner === null) return JSON.stringify(inner);
    const members = Object.entries(inner).map(
      ([name, part]) => `${gap()}${JSON.stringify(name)}${gap()}:${gap()}${show(part)}${gap()}`,
    );
    return `{${members.join(",")}${trailing && members.length > 0 ? "," : ""}${gap()}}`;
  };
  return `${gap()}${show(data)}${gap()}`;
}

it("changes exactly the path, in any text, and loses no comment", () => {
  fc.assert(
    fc.property(
      fc.dictionary(key, value.any, { maxKeys: 4, noNullPrototype: true }),
      fc.array(comment, { minLength: 1, maxLength: 7 }),
      fc.boolean(),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.option(value.any, { nil: undefined }),
      (data, gaps, trailing, path, wanted) => {
        const text = print(data, gaps, trailing);
        const result = parseSettingsText(edit(text, path, wanted), jsonc);
        expect(result).toMatchObject({ ok: true });
        expect(result.ok && sameData(result.data, withPath(data, path, wanted))).toBe(true);
        const comments = (body: string): number => body.split("~").length;
        const [top = ""] = path;
        if (!Object.hasOwn(data, top)) expect(comments(edit(text, path, wanted))).toBe(comments(text));
      },
    ),
    { numRuns: 500 },
  );
});
