import { parseFrontmatter } from "@ashlar/env/frontmatter";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";

const headed = (header: string, body = "Body\n"): string => `---\n${header}\n---\n${body}`;
const kinds = (text: string): readonly string[] => parseFrontmatter(text).problems.map(({ kind }) => kind);

describe("a header as people write it", () => {
  it.each([
    { why: "CRLF", text: "---\r\nname: s\r\ndescription: one two\r\n---\r\nBody\r\n" },
    { why: "a byte order mark", text: "\uFEFF---\nname: s\ndescription: one two\n---\nBody\n" },
    { why: "both", text: "\uFEFF---\r\nname: s\r\ndescription: one two\r\n---\r\nBody\r\n" },
    { why: "blanks behind the fences", text: "--- \nname: s\ndescription: one two\n---\t\nBody\n" },
    { why: "empty lines before it", text: "\n\n---\nname: s\ndescription: one two\n---\nBody\n" },
    { why: "comments and empty lines in it", text: headed("# who\nname: s\n\ndescription: one two # why") },
    { why: "quotes", text: headed("name: 's'\ndescription: \"one two\"") },
    { why: "a folded block", text: headed("name: s\ndescription: >-\n  one\n  two") },
    { why: "a literal block of one line", text: headed("name: s\ndescription: |-\n  one two") },
    { why: "a plain value over two lines", text: headed("name: s\ndescription: one\n  two") },
    { why: "tabs as indentation", text: headed("name: s\ndescription: >-\n\tone\n\ttwo") },
    { why: "a tab behind the colon", text: headed("name:\ts\ndescription:\tone two") },
  ])("is read: $why", ({ text }) => {
    expect(parseFrontmatter(text)).toEqual({
      data: { name: "s", description: "one two" },
      body: "Body\n",
      problems: [],
    });
  });

  it.each([
    { why: "an unquoted colon", line: "Use for reports: weekly and monthly" },
    { why: "a star in front", line: "*important* things" },
    { why: "brackets in front", line: "[WIP] things" },
    { why: "a reserved character", line: "@someone does it" },
    { why: "a backtick", line: "`code` first" },
    { why: "quotes that end too early", line: '"quoted" and more' },
    { why: "an anchor", line: "&x things" },
    { why: "a tag", line: "!js/function things" },
    { why: "a tag of YAML itself", line: "!!binary aGVsbG8=" },
  ])("is read as the text it seems to mean, and this is said: $why", ({ line }) => {
    const { data, body, problems } = parseFrontmatter(headed(`name: s\ndescription: ${line}\nother: 1`));
    expect(data).toEqual({ name: "s", description: line, other: 1 });
    expect(body).toBe("Body\n");
    expect(problems).toMatchObject([{ kind: "repaired", line: 3 }]);
    expect(problems[0]?.message).toContain("description");
  });

  it("joins the lines of a text that is repaired", () => {
    const text = headed("description: Use when: asked\n\n  or told: to\nname: s");
    expect(parseFrontmatter(text).data).toEqual({ description: "Use when: asked or told: to", name: "s" });
  });

  it("takes a key without a blank behind the colon", () => {
    expect(parseFrontmatter(headed("name:s\ndescription: d")).data).toEqual({ name: "s", description: "d" });
  });

  it("keeps foreign keys and their types", () => {
    const header = "allowed-tools: [Read, Bash]\nmetadata:\n  version: 1.5\n  draft: false\n  note: ~\nb: no";
    expect(parseFrontmatter(headed(header)).data).toEqual({
      "allowed-tools": ["Read", "Bash"],
      metadata: { version: 1.5, draft: false, note: null },
      b: "no",
    });
  });

  it("keeps what JSON has no number for as text", () => {
    expect(parseFrontmatter(headed("a: .inf\nb: .nan")).data).toEqual({ a: ".inf", b: ".nan" });
  });
});

describe("the end of a header", () => {
  it("may be the end of the file", () => {
    expect(parseFrontmatter("---\nname: s\n---")).toEqual({ data: { name: "s" }, body: "", problems: [] });
  });

  it("is the first fence: a later one belongs to the body", () => {
    expect(parseFrontmatter(headed("name: s8", "one\n---\nname: other\n"))).toEqual({
      data: { name: "s8" },
      body: "one\n---\nname: other\n",
      problems: [],
    });
  });

  it("that is missing leaves the text as it is, and says so", () => {
    const text = "---\nname: s\nBody\n";
    const { data, body, problems } = parseFrontmatter(text);
    expect([data, body]).toEqual([undefined, text]);
    expect(problems).toMatchObject([{ kind: "unclosed", line: 1 }]);
  });

  it.each(["", "Body", "# Title\n\n---\nx: 1\n---\n", "----\nname: s\n----\n"])(
    "is not looked for without a beginning: %j",
    (text) => {
      expect(parseFrontmatter(text)).toEqual({ data: undefined, body: text, problems: [] });
    },
  );

  it("may follow at once", () => {
    expect(parseFrontmatter("---\n---\nBody")).toEqual({ data: {}, body: "Body", problems: [] });
  });
});

describe("one bad part", () => {
  it.each([
    { why: "no key", bad: "just words here", kind: "syntax" },
    { why: "a second time", bad: "name: t", kind: "syntax" },
    { why: "a broken list", bad: "tools:\n  - a\n - b\n   c: [", kind: "syntax" },
    { why: "an alias", bad: "again: *name", kind: "repaired" },
    { why: "a directive", bad: "%YAML 1.1", kind: "syntax" },
  ])("hides no other: $why", ({ bad, kind }) => {
    const { data, problems } = parseFrontmatter(headed(`name: s\n${bad}\ndescription: d`));
    expect(data).toMatchObject({ name: "s", description: "d" });
    expect(problems).toMatchObject([{ kind, line: 3 }]);
  });

  it("costs nothing more when it repeats itself without end", () => {
    const bomb = Array.from({ length: 20 }, (_, at) =>
      at === 0 ? "a0: &a0 [x, x]" : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    );
    const { data } = parseFrontmatter(headed(`name: s\n${bomb.join("\n")}`));
    expect(data?.name).toBe("s");
    expect(JSON.stringify(data).length).toBeLessThan(1_000);
  });

  it.each([
    { why: "itself inside itself", header: "a: &a [*a]" },
    { why: "brackets without end", header: `a: ${"[".repeat(30_000)}` },
    { why: "lists in lists", header: `a: ${"[".repeat(40)}${"]".repeat(40)}` },
  ])("ends as text or not at all: $why", ({ header }) => {
    const { data, problems } = parseFrontmatter(headed(`name: s\n${header}`));
    expect(data?.name).toBe("s");
    expect(typeof data?.a).toBe("string");
    expect(problems).toHaveLength(1);
  });

  it("of a huge size is not read", () => {
    expect(parseFrontmatter(headed(`a: ${"x".repeat(70_000)}`)).data).toBeUndefined();
    expect(kinds(headed(`a: ${"x".repeat(70_000)}`))).toEqual(["size"]);
  });

  it("cannot name the prototype of what is read", () => {
    const { data } = parseFrontmatter(headed("__proto__:\n  polluted: true\nname: s"));
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect("polluted" in (data ?? {})).toBe(false);
  });
});

describe("any text", () => {
  it("is read without a throw, and no value has a carriage return", () => {
    const pieces = fc.constantFrom(
      "---",
      "\n",
      "\r\n",
      "name",
      ": ",
      "\t",
      "- ",
      "[",
      "{",
      "|",
      ">",
      "*a",
      "&a",
      "!t",
      "'",
      '"',
      "x",
      "#",
      "%",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((parts) => `---\n${parts.join("")}\n---\nB`),
    );
    fc.assert(
      fc.property(text, (any) => {
        const { data, body } = parseFrontmatter(any);
        expect(JSON.stringify(data ?? {})).not.toContain("\\r\\n");
        expect(body).not.toContain("\r\n");
      }),
    );
  });

  it("of keys that YAML wrote comes back as it was", () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.string(), (data, rest) => {
        const body = rest.replaceAll("\r\n", "\n");
        const text = `---\n${stringify(data)}---\n${body}`;
        // A block text of YAML may hold the fence only where it is indented, and is then no fence.
        expect(parseFrontmatter(text)).toEqual({ data, body, problems: [] });
      }),
    );
  });
});
