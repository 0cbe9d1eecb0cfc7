import { chmodSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { content, edit, one } from "../support/edit-call.js";
import { failureOf } from "../support/failure.js";
import { project } from "../support/project.js";

const hex = (folder: string, name: string): string => readFileSync(join(folder, name)).toString("hex");

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
