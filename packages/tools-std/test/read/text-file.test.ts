import { describe, expect, it } from "vitest";
import type { ReadInput } from "../../src/read/read-input.js";
import { failureOf } from "../support/failure.js";
import { blocksOf, call, project, text } from "../support/project.js";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("a text file", () => {
  it.each([
    { why: "whole, with numbers", file: "x\n2\n3\n", input: {}, shows: "1\tx\n2\t2\n3\t3\n" },
    { why: "whole, without a last newline", file: "k=v", input: {}, shows: "1\tk=v" },
    { why: "bare", file: "x\n2\n", input: { annotate: false }, shows: "x\n2\n" },
    {
      why: "from an offset, a number of lines",
      file: "x\n2\n3\n",
      input: { offset: 2, limit: 1 },
      shows: "2\t2\n[Line 2 of 3 shown. Continue with offset: 3.]",
    },
    { why: "offset 0 is the beginning", file: "x\n", input: { offset: 0 }, shows: "1\tx\n" },
    {
      why: "a line range",
      file: numbered(9),
      input: { lines: { from: 3, to: 4 } },
      shows: "3\tline 3\n4\tline 4\n[Lines 3-4 of 9 shown.]",
    },
    {
      why: "the last lines",
      file: numbered(9),
      input: { lines: { last: 2 } },
      shows: "8\tline 8\n9\tline 9\n[Lines 8-9 of 9 shown.]",
    },
    {
      why: "lines counted from the end",
      file: numbered(9),
      input: { lines: { from: -3, to: -2 } },
      shows: "7\tline 7\n8\tline 8\n[Lines 7-8 of 9 shown.]",
    },
    {
      why: "from the start to one from the end",
      file: numbered(4),
      input: { lines: { from: 2, to: -2 } },
      shows: "2\tline 2\n3\tline 3\n[Lines 2-3 of 4 shown.]",
    },
    {
      why: "more last lines than there are",
      file: "a\nb\n",
      input: { lines: { last: 50 } },
      shows: "1\ta\n2\tb\n",
    },
    {
      why: "an offset behind the end",
      file: "a\nb\n",
      input: { offset: 3 },
      shows: "[There is no line 3: the file has 2 lines.]",
    },
    {
      why: "an offset behind the end without a last newline",
      file: "a\nb",
      input: { offset: 9 },
      shows: "[There is no line 9: the file has 2 lines.]",
    },
    { why: "empty", file: "", input: {}, shows: "[The file is empty.]" },
    { why: "only newlines", file: "\n\n", input: {}, shows: "1\t\n2\t\n" },
    { why: "CRLF as it is", file: "a\r\nb\n", input: {}, shows: "1\ta\r\n2\tb\n" },
    {
      why: "characters",
      file: "aé🙂日\nb",
      input: { characters: { from: 2, to: 4 } },
      shows: "é🙂日¶[Characters 2-4 shown.]",
    },
    {
      why: "characters from the end",
      file: "aé🙂日",
      input: { characters: { from: -2 } },
      shows: "🙂日¶[Characters 3-4 shown.]",
    },
    {
      why: "characters behind the end",
      file: "ab",
      input: { characters: { from: 5 } },
      shows: "[There is nothing from character 5 on: the file was read up to character 2.]",
    },
    {
      why: "bytes",
      file: "abcdef",
      input: { bytes: { from: 2, to: 3 } },
      shows: "bc¶[Bytes 2-3 of 6 shown.]",
    },
    {
      why: "bytes that cut a character at both ends",
      file: "é🙂é",
      input: { bytes: { from: 2, to: 7 } },
      shows: "🙂¶[Bytes 2-7 of 8 shown.]\n[2 bytes at the ends belong to cut characters and are left out.]",
    },
    {
      why: "the last bytes as base64",
      file: "abc",
      input: { bytes: { from: -2 }, base64: true },
      shows: "YmM=¶[Bytes 2-3 of 3 shown.]",
    },
    { why: "all bytes as base64", file: "abc", input: { base64: true }, shows: "YWJj" },
    {
      why: "bytes behind the end",
      file: "abc",
      input: { bytes: { from: 9 } },
      shows: "[The file has 3 bytes; there are none in this range.]",
    },
  ] satisfies readonly { why: string; file: string; input: Partial<ReadInput>; shows: string }[])(
    "is shown: $why",
    async ({ file, input, shows }) => {
      expect(await text(project({ "a.txt": file }), { path: "a.txt", ...input })).toBe(shows);
    },
  );

  it("says what it shows differently from its bytes", async () => {
    const folder = project({
      "bom.txt": "\ufeffa\n",
      "latin.txt": Buffer.concat([
        Buffer.from("long enough to be a text, with one "),
        Buffer.from([0xe9]),
        Buffer.from(" in it\n"),
      ]),
      "nul.txt": `${"x".repeat(9000)}\na\0b\n`,
    });
    expect(await text(folder, { path: "bom.txt" })).toBe(
      "1\ta\n[The file begins with a byte order mark, which is not shown.]",
    );
    expect(await text(folder, { path: "latin.txt" })).toContain(
      "with one \ufffd in it\n[Bytes that are not UTF-8 are shown as \ufffd.]",
    );
    expect(await text(folder, { path: "nul.txt", offset: 2 })).toBe(
      "2\ta\u2400b\n[Line 2 of 2 shown.]\n[NUL bytes are shown as \u2400.]",
    );
  });

  it("keeps what has to be said out of bare text", async () => {
    const folder = project({ "a.txt": "a\nb\n" });
    expect(blocksOf(await call(folder, { path: "a.txt", annotate: false, limit: 1 }))).toEqual([
      { type: "text", text: "a\n" },
      { type: "text", text: "[Line 1 of 2 shown. Continue with offset: 2.]" },
    ]);
  });

  it("tells its facts", async () => {
    const folder = project({ "a.ts": "a\r\nb\nc", "b.md": "\ufeffx\n", empty: "" });
    expect(await text(folder, { path: "a.ts", info: true })).toMatch(
      /^a\.ts\nsize: 6 bytes\nmodified: \d{4}-.*Z\ntype: .* \(text\)\nlines: 3\nline ends: mixed \(1 CRLF, 1 LF\); none after the last line$/,
    );
    expect(await text(folder, { path: "b.md", info: true })).toContain(
      "lines: 1\nline ends: LF\nbegins with a byte order mark",
    );
    expect(await text(folder, { path: "empty", info: true })).toContain("lines: 0\nline ends: none");
  });

  it("goes on where it stopped, and every line comes exactly once", async () => {
    const folder = project({ "a.txt": numbered(1000) });
    const settings = { read: { outputBytes: 2000 } };
    let offset = 1;
    let all = "";
    for (let rounds = 0; rounds < 50; rounds += 1) {
      const [body, note] = blocksOf(
        await call(folder, { path: "a.txt", offset, annotate: false }, { settings }),
      );
      all += body?.type === "text" ? body.text : "";
      const next = note?.type === "text" ? /offset: (\d+)/.exec(note.text)?.[1] : undefined;
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(all).toBe(numbered(1000));
  });

  it("cuts a line that alone is too long between characters, and says where it goes on", async () => {
    const folder = project({ "a.txt": `${"é".repeat(3000)}\nb\n` });
    const settings = { read: { outputBytes: 1000 } };
    const shown = await text(folder, { path: "a.txt" }, { settings });
    expect(shown).toContain('[Line 1 is too long and was cut. It goes on with bytes: {"from": 999}.]');
    expect(shown).not.toContain("\ufffd");
    expect(await text(folder, { path: "a.txt", bytes: { from: 999, to: 1000 } })).toMatch(/^é¶/);
  });
});

describe("arguments that do not go together", () => {
  it.each([
    {
      why: "two ranges",
      input: { lines: { from: 1 }, bytes: { from: 1 } },
      says: "lines and bytes do not go together",
    },
    {
      why: "a range and a page",
      input: { lines: { from: 1 }, limit: 3 },
      says: "lines does not go together with offset and limit",
    },
    { why: "last and from", input: { lines: { last: 1, from: 1 } }, says: "lines.last" },
    {
      why: "an end before the start",
      input: { bytes: { from: 5, to: 2 } },
      says: "bytes.from (5) lies after bytes.to (2)",
    },
    { why: "an end at 0", input: { lines: { to: 0 } }, says: "lines.to is 0" },
    { why: "a search for nothing", input: { search: {} }, says: "search needs text or regex" },
    { why: "a search for two things", input: { search: { text: "a", regex: "a" } }, says: "and not both" },
    {
      why: "base64 lines",
      input: { base64: true, lines: { from: 1 } },
      says: "base64 goes together with bytes only",
    },
    {
      why: "a pattern that says what not to take",
      input: { glob: "!*.ts" },
      says: "put what is not wanted in exclude",
    },
    { why: "a broken expression", input: { search: { regex: "(" } }, says: "search.regex does not compile" },
  ] satisfies readonly { why: string; input: Partial<ReadInput>; says: string }[])(
    "are refused by name: $why",
    async ({ input, says }) => {
      const failure = await failureOf(call(project({ "a.txt": "a" }), { path: "a.txt", ...input }));
      expect(failure).toMatch(/^usage: /);
      expect(failure).toContain(says);
    },
  );

  it("are refused for a folder when they are for files", async () => {
    expect(await failureOf(call(project({ "d/a": "" }), { path: "d", lines: { from: 1 } }))).toBe(
      "usage: d is a folder; lines is for files.",
    );
  });
});
