import { describe, expect, it } from "vitest";
import type { EditInput } from "../../src/edit/edit-input.js";
import { content, edit, one, resultOf } from "../support/edit-call.js";
import { failureOf } from "../support/failure.js";
import { project } from "../support/project.js";

describe("a text that does not stand there once", () => {
  const miss = async (file: string, oldText: string, more: Partial<EditInput> = {}): Promise<string> => {
    const folder = project({ a: file });
    const failure = await failureOf(edit(folder, { ...one("a", oldText, "Z"), ...more }));
    expect(content(folder, "a")).toBe(file);
    return failure;
  };

  it.each([
    {
      why: "twice",
      file: "x\ny x\n",
      old: "x",
      says: "stands at 2 places, in lines 1, 2; add text around it until it is the only one, or set matchAll",
    },
    { why: "overlapping itself", file: "aaa\n", old: "aa", says: "stands at 2 places, in lines 1, 1" },
    {
      why: "thousands of times",
      file: "x\n".repeat(5000),
      old: "x",
      says: "more than 1000 places, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …",
    },
    {
      why: "blanks for a tab",
      file: "a\n\tif x:\n",
      old: "    if x:",
      says: 'line 2 differs in white space only: the file has "\\tif x:", oldText has "    if x:"',
    },
    {
      why: "a blank at the end of a line",
      file: "one \ntwo\n",
      old: "one\ntwo",
      says: 'line 1 differs in white space only: the file has "one ", oldText has "one"',
    },
    {
      why: "a typographic quote",
      file: "say\n\u201chi\u201d\n",
      old: '"hi"',
      says: 'line 2 looks the same: the file has \u201c (U+201C) where oldText has " (U+0022)',
    },
    {
      why: "a no-break space",
      file: "a\u00a0b",
      old: "a b",
      says: "the file has (U+00A0) where oldText has (U+0020)",
    },
    {
      why: "a Cyrillic letter",
      file: "p\u0430th = 1",
      old: "path = 1",
      says: "the file has \u0430 (U+0430) where oldText has a (U+0061)",
    },
    {
      why: "a dash in the old text",
      file: "a - b",
      old: "a \u2013 b",
      says: "the file has - (U+002D) where oldText has \u2013 (U+2013)",
    },
    { why: "a decomposed letter", file: "caf\u0065\u0301", old: "caf\u00e9", says: "line 1 looks the same" },
    { why: "an ellipsis", file: "wait\u2026", old: "wait...", says: "\u2026 (U+2026) is in the file only" },
    { why: "a character without width", file: "a\u200bb", old: "ab", says: "(U+200B) is in the file only" },
    {
      why: "another case",
      file: "\nRetry\n",
      old: "retry",
      says: "line 2 differs in upper and lower case only",
    },
    {
      why: "the line numbers of read",
      file: "a\nb\n",
      old: "1\ta\n2\tb",
      says: "line numbers in it that read puts before each line",
    },
    {
      why: "a change that was made before",
      file: "here is ZETA\n",
      old: "alpha",
      more: { edits: [{ oldText: "alpha", newText: "ZETA" }] },
      says: "its newText is, in line 1: this edit may have been made before",
    },
    {
      why: "a text that goes another way",
      file: "a\nb\nc\n",
      old: "a\nx\nc",
      says: 'begins like line 1, but in line 2 the file has "b" where oldText has "x"',
    },
    {
      why: "a text longer than the file",
      file: "a\nb",
      old: "a\nb\nc",
      says: 'begins like line 1, but in line 3 the file ends where oldText has "c"',
    },
    {
      why: "nothing like it",
      file: "a\n",
      old: "quite different",
      says: "is not in the file. Read it again",
    },
  ])("is explained: $why", async ({ file, old, says, more }) => {
    const failure = await miss(file, old, more);
    expect(failure).toMatch(/^usage: edits\[0\]\.oldText /);
    expect(failure).toContain(says);
    expect(failure).toMatch(/Nothing was changed\.$/);
  });

  it("is explained when another edit would make it", async () => {
    const edits = [
      { oldText: "a", newText: "some new line" },
      { oldText: "new line", newText: "x" },
    ];
    expect(await miss("a\n", "a", { edits })).toContain("only in the newText of another edit");
  });

  it.each([
    { why: "empty", edits: [{ oldText: "", newText: "x" }], says: "oldText is empty" },
    { why: "the same", edits: [{ oldText: "a", newText: "a" }], says: "is the same as its newText" },
    {
      why: "other line ends only",
      edits: [{ oldText: "a\n", newText: "a\r\n" }],
      says: "differs from its newText in line ends only",
    },
    { why: "no edit", edits: [], says: "edits is empty" },
    {
      why: "half a character",
      edits: [{ oldText: "a", newText: "\ude00" }],
      says: "edits[0].newText: half a character",
    },
  ])("is refused: $why", async ({ edits, says }) => {
    expect(await miss("a\n", "a", { edits })).toContain(says);
  });

  it("is replaced everywhere with matchAll, without overlap", async () => {
    const folder = project({ a: "aaaa\r\naa\n" });
    expect(await resultOf(edit(folder, { ...one("a", "aa", "b\nc"), matchAll: true }))).toMatch(
      /^Edited a at 3 places/,
    );
    expect(content(folder, "a")).toBe("b\r\ncb\r\nc\r\nb\nc\n");
    expect(await failureOf(edit(folder, { ...one("a", "zz", "y"), matchAll: true }))).toContain(
      "is not in the file",
    );
  });
});
