import { createHash } from "node:crypto";
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { FileChange, ToolPayload } from "@ashlar/context/tool";
import { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import type { EditInput } from "../../src/edit/edit-input.js";
import * as tool from "../../src/tools/edit.js";
import { failureOf } from "../support/failure.js";
import { memoryExecution, memoryFiles } from "../support/memory-files.js";
import {
  type CallOptions,
  namedPipe,
  person,
  project,
  call as read,
  toolContext,
  writingContext,
} from "../support/project.js";

const edit = (folder: string, input: EditInput, options?: CallOptions): Promise<ToolPayload | string> =>
  tool.edit(input, writingContext(folder, options));
const one = (path: string, oldText: string, newText: string): EditInput => ({
  path,
  edits: [{ oldText, newText }],
});
const hex = (folder: string, name: string): string => readFileSync(join(folder, name)).toString("hex");
const content = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

async function resultOf(promise: Promise<ToolPayload | string>): Promise<string> {
  const payload = await promise;
  return typeof payload === "string" ? payload : String(payload.result);
}

describe("bytes that an edit was not asked to touch", () => {
  it.each([
    {
      why: "mixed line ends elsewhere",
      file: "6f6e650d0a74776f0a7468726565",
      old: "three",
      text: "THREE",
      result: "6f6e650d0a74776f0a5448524545",
    },
    {
      why: "LF in a mixed file, replaced across it",
      file: "6f6e650d0a74776f0a7468726565",
      old: "two\nthree",
      text: "2\n3",
      result: "6f6e650d0a320a33",
    },
    {
      why: "CRLF, new lines too",
      file: hexOf("a1\r\nb2\r\nc3\r\n"),
      old: "a1\nb2",
      text: "a1\nB2\nb3",
      result: hexOf("a1\r\nB2\r\nb3\r\nc3\r\n"),
    },
    {
      why: "LF, asked for with CRLF",
      file: hexOf("a1\nb2\n"),
      old: "a1\r\nb2",
      text: "A\r\nB",
      result: hexOf("A\nB\n"),
    },
    { why: "no line end at the end", file: hexOf("k=v"), old: "v", text: "w", result: hexOf("k=w") },
    { why: "a line end at the end", file: hexOf("k=v\n"), old: "v", text: "w", result: hexOf("k=w\n") },
    {
      why: "a byte order mark",
      file: `efbbbf${hexOf("a\r\nb\r\n")}`,
      old: "a\nb",
      text: "x\ny",
      result: `efbbbf${hexOf("x\r\ny\r\n")}`,
    },
    {
      why: "a byte order mark that the model saw",
      file: `efbbbf${hexOf("a")}`,
      old: "\ufeffa",
      text: "b",
      result: `efbbbf${hexOf("b")}`,
    },
    {
      why: "bytes that are no UTF-8",
      file: `fffe41${hexOf("\nmid\n")}c328`,
      old: "mid",
      text: "é",
      result: `fffe41${hexOf("\né\n")}c328`,
    },
    {
      why: "each line end of the lines around the change",
      file: hexOf("a\r\nb\nc\r\nd\n"),
      old: "a\nb\nc\nd",
      text: "a\nB\nc\nd",
      result: hexOf("a\r\nB\nc\r\nd\n"),
    },
    { why: "a lone CR", file: hexOf("a\rb\nc\n"), old: "c", text: "d", result: hexOf("a\rb\nd\n") },
    {
      why: "tabs",
      file: hexOf("\tif x:\n\t\ty\n"),
      old: "if x:",
      text: "if z:",
      result: hexOf("\tif z:\n\t\ty\n"),
    },
    {
      why: "a new line in a file of one CRLF line",
      file: hexOf("a\r\n"),
      old: "a",
      text: "a\nb",
      result: hexOf("a\r\nb\r\n"),
    },
    {
      why: "a new last line, like the line before",
      file: hexOf("a\r\nb"),
      old: "b",
      text: "b\nc",
      result: hexOf("a\r\nb\r\nc"),
    },
    {
      why: "no line end in the file: those of the new text",
      file: hexOf("a"),
      old: "a",
      text: "b\r\nc\r\n",
      result: hexOf("b\r\nc\r\n"),
    },
    {
      why: "a line end taken away",
      file: hexOf("a\r\nb\r\n"),
      old: "a\nb",
      text: "ab",
      result: hexOf("ab\r\n"),
    },
    {
      why: "characters next to the change",
      file: hexOf("日本é🙂"),
      old: "é",
      text: "e",
      result: hexOf("日本e🙂"),
    },
  ])("stay: $why", async ({ file, old, text, result }) => {
    const folder = project({ "f.txt": Buffer.from(file, "hex") });
    // The first bytes decide what a file is; these are texts with a few bytes that are none.
    const failure = await failureOf(edit(folder, one("f.txt", old, text)));
    if (file.startsWith("fffe")) expect(failure).toContain("UTF-16 text");
    else expect(hex(folder, "f.txt")).toBe(result);
  });

  it("stay where they are no UTF-8, in a text that is one for the most part", async () => {
    const latin = Buffer.concat([
      Buffer.from("# caf"),
      Buffer.from([0xe9]),
      Buffer.from("\r\nname = old\r\n# \xff", "latin1"),
    ]);
    const folder = project({ "f.txt": latin });
    await edit(folder, one("f.txt", "old", "neu\nzwei"));
    expect(readFileSync(join(folder, "f.txt")).toString("latin1")).toBe(
      "# café\r\nname = neu\r\nzwei\r\n# ÿ",
    );
  });

  it.each([0o755, 0o600, 0o640])("keep their mode %o", async (mode) => {
    const folder = project({ f: "a" });
    chmodSync(join(folder, "f"), mode);
    await edit(folder, one("f", "a", "b"));
    expect(statSync(join(folder, "f")).mode & 0o7777).toBe(mode);
  });

  it("are not even touched by an edit that misses", async () => {
    const folder = project({ f: "\tif x:\n" });
    utimesSync(join(folder, "f"), 1000, 1000);
    expect(await failureOf(edit(folder, one("f", "    if x:", "    if y:")))).toMatch(/^usage: /);
    expect(statSync(join(folder, "f")).mtimeMs).toBe(1_000_000);
    expect(readdirSync(folder)).toEqual(["f"]);
  });
});

function hexOf(text: string): string {
  return Buffer.from(text, "utf8").toString("hex");
}

describe("new text", () => {
  const dollars = "price=$$5 $& $' $` $1 \\1 \\n";

  it("is taken literally, alone, among others and with matchAll", async () => {
    const folder = project({ a: "total: cost\n", b: "x cost\ny\n", c: "cost cost\n" });
    await edit(folder, one("a", "cost", dollars));
    expect(content(folder, "a")).toBe(`total: ${dollars}\n`);
    await edit(folder, {
      path: "b",
      edits: [
        { oldText: "y", newText: "$&" },
        { oldText: "cost", newText: dollars },
      ],
    });
    expect(content(folder, "b")).toBe(`x ${dollars}\n$&\n`);
    await edit(folder, { ...one("c", "cost", dollars), matchAll: true });
    expect(content(folder, "c")).toBe(`${dollars} ${dollars}\n`);
  });

  it("may be empty, and what is left stays", async () => {
    const folder = project({ a: "one\ntwo\nthree\n" });
    await edit(folder, one("a", "two\n", ""));
    expect(content(folder, "a")).toBe("one\nthree\n");
  });
});

describe("several edits", () => {
  it("are matched against the original, whatever their order, and all or none are made", async () => {
    const folder = project({ a: "alpha\nbeta\ngamma\n" });
    const edits = [
      { oldText: "gamma", newText: "alpha" },
      { oldText: "alpha", newText: "beta" },
      { oldText: "beta", newText: "gamma" },
    ];
    expect(await resultOf(edit(folder, { path: "a", edits }))).toBe(
      "Edited a at 3 places, in lines 1, 2, 3. Edit id: c1.",
    );
    expect(content(folder, "a")).toBe("beta\ngamma\nalpha\n");
    const half = [
      { oldText: "beta", newText: "x" },
      { oldText: "none", newText: "y" },
    ];
    expect(await failureOf(edit(folder, { path: "a", edits: half }))).toMatch(
      /^usage: edits\[1\]\.oldText is not in the file/,
    );
    expect(content(folder, "a")).toBe("beta\ngamma\nalpha\n");
  });

  it("may touch but not overlap", async () => {
    const folder = project({ a: "abcdef" });
    const overlap = [
      { oldText: "abc", newText: "x" },
      { oldText: "cd", newText: "y" },
    ];
    expect(await failureOf(edit(folder, { path: "a", edits: overlap }))).toBe(
      "usage: edits[0] and edits[1] change the same text in line 1; join them into one. Nothing was changed.",
    );
    await edit(folder, {
      path: "a",
      edits: [
        { oldText: "def", newText: "2" },
        { oldText: "abc", newText: "1" },
      ],
    });
    expect(content(folder, "a")).toBe("12");
  });

  it("name the lines as they are afterwards", async () => {
    const folder = project({ a: "1\n2\n3\n" });
    const edits = [
      { oldText: "1", newText: "1\n1b\n1c" },
      { oldText: "3", newText: "three" },
    ];
    expect(await resultOf(edit(folder, { path: "a", edits }))).toContain("in lines 1, 5.");
  });
});

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

describe("arguments of edit", () => {
  it.each([
    {
      why: "edits as a text",
      input: { path: "a", edits: "[]" },
      says: "edits: wanted a list of {oldText, newText}, came a string",
    },
    { why: "neither edits nor rollback", input: { path: "a" }, says: "edits is missing" },
    { why: "both", input: { path: "a", edits: [], rollback: "c1" }, says: "do not go together" },
    {
      why: "a text among the edits",
      input: { path: "a", edits: ["x"] },
      says: "edits[0]: wanted {oldText, newText}, came a string",
    },
    {
      why: "a missing new text",
      input: { path: "a", edits: [{ oldText: "x" }] },
      says: "edits[0].newText: wanted a string, came nothing",
    },
    {
      why: "other names",
      input: { path: "a", edits: [{ old: "x", newText: "y" }] },
      says: 'edits[0] has no field "old"',
    },
    {
      why: "an unknown field",
      input: { path: "a", edits: [], replaceAll: true },
      says: 'edit has no field "replaceAll"',
    },
  ])("are named when they do not fit: $why", async ({ input, says }) => {
    const folder = project({ a: "x" });
    // As it comes from a model: whatever JSON holds.
    const sent: EditInput = JSON.parse(JSON.stringify(input));
    const failure = await failureOf(edit(folder, sent));
    expect(failure).toMatch(/^usage: /);
    expect(failure).toContain(says);
    expect(content(folder, "a")).toBe("x");
  });

  it("work when they are almost right", async () => {
    const { edit: described } = tool.toolDescription();
    if (described === undefined) throw new Error("edit is not described");
    // The host takes functions of any arguments; the schema stands for them.
    const tools = [{ edit: { ...described, fn: tool.edit as never } }];
    const env = await Env.open(project(), { layers: [], collect: false, tools });
    try {
      for (const edits of [
        '[{"oldText":"x","newText":"y"}]',
        ['{"oldText":"x","newText":"y"}'],
        { oldText: "x", newText: "y" },
      ]) {
        const checked = env.toolValidate("edit", { path: "a.txt", edits });
        expect(checked).toMatchObject({
          ok: true,
          args: { path: "a.txt", edits: [{ oldText: "x", newText: "y" }] },
        });
      }
      const literal = env.toolValidate("edit", {
        path: "a",
        edits: [{ oldText: "[1]", newText: '{"a":1}' }],
      });
      expect(literal).toMatchObject({ ok: true, args: { edits: [{ oldText: "[1]", newText: '{"a":1}' }] } });
      expect(
        env.toolValidate("edit", { path: "a", edits: [{ oldText: "x", newText: "cut off" }], al: 1 }).ok,
      ).toBe(false);
    } finally {
      await env.close();
    }
  });
});

describe("edits of one file at the same time", () => {
  it("all land, however the path is spelled", async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `row ${index + 1}`);
    const folder = project({ "data.txt": `${rows.join("\n")}\n`, "other.txt": "o" });
    symlinkSync("data.txt", join(folder, "alias.txt"));
    const results = await Promise.all([
      edit(folder, one("data.txt", "row 7\n", "SEVEN\n")),
      edit(folder, one("./data.txt", "row 21", "TWENTY-ONE")),
      edit(folder, one(join(folder, "data.txt"), "row 33", "THIRTY-THREE")),
      edit(folder, one("alias.txt", "row 40", "FORTY")),
      read(folder, { path: "data.txt" }),
      edit(folder, one("other.txt", "o", "p")),
    ]);
    expect(results).toHaveLength(6);
    const text = content(folder, "data.txt");
    for (const word of ["SEVEN", "TWENTY-ONE", "THIRTY-THREE", "FORTY"]) expect(text).toContain(word);
    expect(text.split("\n")).toHaveLength(41);
    expect(text.endsWith("FORTY\n")).toBe(true);
    expect(lstatSync(join(folder, "alias.txt")).isSymbolicLink()).toBe(true);
  });

  it("do not hinder each other when one of them fails", async () => {
    const folder = project({ a: "1 2" });
    const settled = await Promise.allSettled([
      edit(folder, one("a", "1", "one")),
      edit(folder, one("a", "9", "x")),
      edit(folder, one("a", "2", "two")),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(content(folder, "a")).toBe("one two");
  });
});

describe("edit at the border", () => {
  it("changes nothing outside and names where it would have led", async () => {
    const outside = project({ "victim.txt": "original" });
    const folder = project({ "real.md": "original" });
    symlinkSync(join(outside, "victim.txt"), join(folder, "notes.md"));
    symlinkSync(join(outside, "new.txt"), join(folder, "draft.md"));
    symlinkSync(outside, join(folder, "out"));
    symlinkSync("real.md", join(folder, "link.md"));
    for (const path of [
      "notes.md",
      "draft.md",
      "out/victim.txt",
      `a/../../${basename(outside)}/victim.txt`,
    ]) {
      expect(await failureOf(edit(folder, one(path, "original", "evil")))).toMatch(
        new RegExp(`^outside: .*${outside}/`),
      );
    }
    expect(content(outside, "victim.txt")).toBe("original");
    expect(readdirSync(outside)).toEqual(["victim.txt"]);
    expect(await resultOf(edit(folder, one("link.md", "original", "new")))).toMatch(
      /^Edited real\.md in line 1\./,
    );
    expect(lstatSync(join(folder, "link.md")).isSymbolicLink()).toBe(true);
  });

  it("refuses what is no plain text file of its own", async () => {
    const folder = project({ a: "x", bin: Buffer.from([0, 1, 2, 255]), "d/x": "" });
    linkSync(join(folder, "a"), join(folder, "b"));
    namedPipe(join(folder, "pipe"));
    for (const [path, says] of [
      ["a", "refused: a has 2 names"],
      ["bin", "refused: bin is a binary file"],
      ["d", "refused: d is a folder"],
      ["pipe", "refused: pipe is no regular file"],
      ["none", "missing: There is no none; to make a file, use write."],
      ["ai-settings.json", "refused: ai-settings.json is not written by tools"],
    ] as const) {
      expect(await failureOf(edit(folder, one(path, "x", "y")))).toContain(says);
    }
  });

  it("is refused in a call that may change nothing", async () => {
    const folder = project({ a: "x" });
    expect(await failureOf(tool.edit(one("a", "x", "y"), toolContext(folder)))).toBe(
      "refused: edit was not run: nothing may be changed here.",
    );
  });

  it("checks the new text, but not what the file says already", async () => {
    const folder = project({ a: "see /etc/passwd\nx\n" });
    expect(await failureOf(edit(folder, one("a", "x", "cat /etc/hosts")))).toContain(
      "edits[0].newText of a names /etc/hosts",
    );
    await edit(folder, one("a", "x", "cat /etc/passwd"));
    const yes = person("Allow");
    await edit(folder, { ...one("a", "cat", "1\n/etc/hosts\n3"), ask: true }, { question: yes.bridge });
    expect(yes.asked[0]?.details).toBe("  1\t1\n> 2\t/etc/hosts\n  3\t3");
    expect(content(folder, "a")).toContain("/etc/hosts");
  });

  it("works on any machine that is given, and leaves a file that changed meanwhile", async () => {
    const files = memoryFiles({ "/work/a.txt": { kind: "file", bytes: Buffer.from("abc") } });
    expect(
      await resultOf(edit("/work", one("a.txt", "b", "B"), { execution: memoryExecution(files) })),
    ).toMatch(/^Edited a\.txt/);
    let stats = 0;
    const lstat: typeof files.lstat = async (path) => {
      const stat = await files.lstat(path);
      if (path === "/work/a.txt") stats += 1;
      return { ...stat, mtimeMs: stats };
    };
    expect(
      await failureOf(
        edit("/work", one("a.txt", "B", "x"), { execution: memoryExecution({ ...files, lstat }) }),
      ),
    ).toMatch(/^changed: /);
  });
});

describe("the result of an edit", () => {
  it("names its id, and shows the difference to viewers only", async () => {
    const folder = project({ "src/a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
    const payload = await edit(folder, one("src/a.txt", "5\n", "five\r\n"), {
      callId: "call-9",
      changes: { find: async () => undefined },
    });
    expect(payload).toEqual({
      result: 'Edited src/a.txt in line 5. Edit id: call-9; {"rollback": "call-9"} takes it back.',
      display: "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    });
  });

  it("does not take long to show however much changed", async () => {
    const lines = (mark: string): string =>
      Array.from({ length: 20_000 }, (_, at) => `${mark} ${at % 977}\n`).join("");
    const folder = project({ a: lines("a") });
    const payload = await edit(folder, { ...one("a", "a ", "b "), matchAll: true });
    expect(typeof payload === "string" ? payload : payload.display).toMatch(
      /too large to be shown|more characters of the difference/,
    );
    expect(content(folder, "a")).toBe(lines("b"));
  });
});

describe("taking a change back", () => {
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const keeping = (...changes: readonly FileChange[]): CallOptions => ({
    changes: { find: async (id) => changes.find((change) => change.id === id) },
  });
  const changeOf = (folder: string, before: string | null, after: string): FileChange => ({
    id: "c7",
    path: join(folder, "a.txt"),
    before: before === null ? null : Buffer.from(before),
    after: sha256(after),
  });

  it("restores the bytes exactly when nothing came in between, and can itself be taken back", async () => {
    const before = "\ufeffold\r\nx\n";
    const folder = project({ "a.txt": "new" });
    chmodSync(join(folder, "a.txt"), 0o750);
    const options = { ...keeping(changeOf(folder, before, "new")), callId: "c8" };
    const payload = await edit(folder, { path: "a.txt", rollback: "c7" }, options);
    expect(payload).toMatchObject({
      result: 'Took back c7: a.txt is what it was before. Edit id: c8; {"rollback": "c8"} takes it back.',
    });
    expect(content(folder, "a.txt")).toBe(before);
    expect(statSync(join(folder, "a.txt")).mode & 0o777).toBe(0o750);
    const undone = {
      id: "c8",
      path: join(folder, "a.txt"),
      before: Buffer.from("new"),
      after: sha256(before),
    };
    await edit(folder, { path: "./a.txt", rollback: "c8" }, keeping(undone));
    expect(content(folder, "a.txt")).toBe("new");
  });

  it("leaves a file that was changed since, and says what differs", async () => {
    const folder = project({ "a.txt": "one\nTWO\nlater\n" });
    const failure = await failureOf(
      edit(folder, { path: "a.txt", rollback: "c7" }, keeping(changeOf(folder, "one\ntwo\n", "one\nTWO\n"))),
    );
    expect(failure).toMatch(/^changed: a\.txt was changed after c7, so it was left as it is\./);
    expect(failure).toContain("-TWO\n-later\n+two\n");
    expect(content(folder, "a.txt")).toBe("one\nTWO\nlater\n");
  });

  it("has nothing to do when the file is the same already", async () => {
    const folder = project({ "a.txt": "old" });
    expect(
      await resultOf(
        edit(folder, { path: "a.txt", rollback: "c7" }, keeping(changeOf(folder, "old", "new"))),
      ),
    ).toContain("nothing was written");
  });

  it.each([
    {
      why: "it is not kept",
      id: "c6",
      path: "a.txt",
      says: "missing: There is no change c6, or it is no longer kept.",
    },
    { why: "it was another file", id: "c7", path: "b.txt", says: "not in b.txt" },
  ])("is refused when $why", async ({ id, path, says }) => {
    const folder = project({ "a.txt": "new", "b.txt": "new" });
    expect(
      await failureOf(edit(folder, { path, rollback: id }, keeping(changeOf(folder, "old", "new")))),
    ).toContain(says);
    expect(content(folder, "a.txt")).toBe("new");
  });

  it("is refused for a file that the change made, and where nothing is kept", async () => {
    const folder = project({ "a.txt": "new" });
    expect(
      await failureOf(
        edit(folder, { path: "a.txt", rollback: "c7" }, keeping(changeOf(folder, null, "new"))),
      ),
    ).toMatch(/^refused: Change c7 made the file/);
    expect(await failureOf(edit(folder, { path: "a.txt", rollback: "c7" }))).toMatch(
      /^refused: No earlier content is kept/,
    );
  });
});

describe("the description of edit", () => {
  it("is neither safe nor trusted, and names what a call will write", () => {
    const { edit: described } = tool.toolDescription();
    expect(described?.safe).toBeUndefined();
    // The host hands in what the schema let pass.
    expect(described?.writes?.(one("a.txt", "x", "y") as never)).toEqual(["a.txt"]);
  });
});
