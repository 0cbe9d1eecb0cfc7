import * as jsonc from "jsonc-parser";
import { expect, it } from "vitest";
import { parseSettingsText } from "../../src/settings/settings-text.js";

const parse = (text: string) => parseSettingsText(text, jsonc);

it.each([
  { why: "an empty file is no settings", text: "", data: {} },
  { why: "so are white space and comments", text: "  // nothing yet\n/* at all */\n", data: {} },
  { why: "a trailing comma", text: '{ "a": [1, 2,], }', data: { a: [1, 2] } },
  { why: "a byte order mark", text: '\uFEFF{ "a": 1 }', data: { a: 1 } },
  {
    why: "what looks like a comment inside a string",
    text: '{ "a": "http://x/*y*/" }',
    data: { a: "http://x/*y*/" },
  },
  { why: "CRLF", text: '{\r\n  "a": 1 // one\r\n}\r\n', data: { a: 1 } },
])("reads $why", ({ text, data }) => {
  const parsed = parse(text);
  expect(parsed).toMatchObject({ ok: true, problems: [] });
  expect(parsed.ok && parsed.data).toEqual(data);
});

it.each([
  { why: "two commas", text: '{"model":"m1",,}', line: 1, column: 15 },
  { why: "a cut string", text: '{\n  "model": "m', line: 2, column: 12 },
  { why: "text after the object", text: "{}\nx", line: 2, column: 1 },
  { why: "no object", text: "\n [1]", line: 2, column: 2 },
  { why: "a number that JavaScript cannot hold", text: '{ "a": [1e999] }', line: 1, column: 9 },
  { why: "single quotes", text: "{ 'a': 1 }", line: 1, column: 3 },
])("names the place of $why", ({ text, line, column }) => {
  expect(parse(text)).toMatchObject({ ok: false, problem: { line, column } });
});

it("counts lines and columns the same behind a byte order mark", () => {
  expect(parse("\uFEFF{ x }")).toMatchObject({ ok: false, problem: { line: 1, column: 3 } });
});

it.each(["__proto__", "constructor", "prototype"])("leaves the key %s out and says so", (key) => {
  const parsed = parse(`{\n  "a": { "${key}": { "polluted": true }, "b": 1 }\n}`);
  expect(parsed).toMatchObject({ ok: true, data: { a: { b: 1 } }, problems: [{ line: 2, column: 10 }] });
  const inner: unknown = parsed.ok ? parsed.data.a : undefined;
  expect(Object.keys(inner ?? {})).toEqual(["b"]);
  expect(Reflect.get(Object(inner), "polluted")).toBeUndefined();
});

it("takes the last of two equal keys and says so", () => {
  expect(parse('{ "a": 1, "a": 2 }')).toMatchObject({
    ok: true,
    data: { a: 2 },
    problems: [{ line: 1, column: 11, message: 'the key "a" stands twice; the last one counts' }],
  });
});

it("refuses a nesting that would exhaust the stack", () => {
  const text = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  expect(parse(text)).toMatchObject({ ok: false, problem: { message: "nested deeper than 100 levels" } });
});
