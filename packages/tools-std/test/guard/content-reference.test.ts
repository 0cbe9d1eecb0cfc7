import { describe, expect, it } from "vitest";
import { contentReferences, previewAround } from "../../src/guard/content-reference.js";

const paths = (text: string): readonly string[] => contentReferences(text).map(({ path }) => path);

describe("the paths in a text", () => {
  it.each([
    { why: "a quoted path", text: 'open("/etc/passwd")', found: ["/etc/passwd"] },
    { why: "an argument", text: "cat /etc/passwd; true", found: ["/etc/passwd"] },
    { why: "an assignment", text: "file=/etc/passwd", found: ["/etc/passwd"] },
    { why: "both sides of a colon-separated pair", text: "/etc/hosts:/x", found: ["/etc/hosts"] },
    { why: "the end of a sentence", text: "See /etc/hosts.", found: ["/etc/hosts"] },
    { why: "a line and column", text: "at /srv/app/a.ts:3:4", found: ["/srv/app/a.ts"] },
    { why: "a file address", text: "file:///etc/passwd", found: ["/etc/passwd"] },
    { why: "the part before a pattern", text: "ls /usr/lib/*.so", found: ["/usr/lib"] },
    { why: "the home folder", text: "cat ~/.ssh/id_rsa", found: ["~/.ssh/id_rsa"] },
    { why: "steps up", text: "import '../../x/y.js'", found: ["../../x/y.js"] },
    { why: "a name that is no ASCII", text: "/srv/日本/x", found: ["/srv/日本/x"] },
  ])("are found: $why", ({ text, found }) => {
    expect(paths(text)).toEqual(found);
  });

  it.each([
    { why: "a web address", text: "https://host.example/etc/passwd" },
    { why: "a fraction or an alternative", text: "1/2 and/or src/a/b" },
    { why: "a comment", text: "//etc/passwd and /* x */ and // y/z" },
    { why: "a closing tag", text: "<b>x</b>" },
    { why: "one name below the root", text: 'app.get("/home")' },
    { why: "a template", text: `\${root}/etc/passwd $HOME/etc/passwd` },
    { why: "an escaped slash", text: "/\\/etc\\/passwd/" },
    { why: "a device", text: "cat /dev/null > /dev/fd/2" },
    { why: "the program of the first line", text: "#!/usr/bin/env node\nx" },
    { why: "the same after a byte order mark", text: "\ufeff#!/bin/sh -e\nx" },
    { why: "a path from the module itself", text: 'new URL("../../x", import.meta.url)' },
  ])("are not: $why", ({ text }) => {
    expect(paths(text)).toEqual([]);
  });

  it("have the number of their line, and `#!` counts in the first only", () => {
    expect(contentReferences("a\r\n#!/usr/bin/env node\nb")).toEqual([
      { path: "/usr/bin/env", kind: "absolute", line: 2 },
    ]);
  });

  it("are bounded in a text that has nothing else", () => {
    expect(paths("/a/b ".repeat(100_000))).toHaveLength(1000);
  });
});

it("a preview has five lines, the one it is about in the middle where it can be", () => {
  const text = ["1", "2", "3", "4", "5", "6", "7"].map((line) => `l${line}`).join("\n");
  expect(previewAround(text, 4)).toBe("  2\tl2\n  3\tl3\n> 4\tl4\n  5\tl5\n  6\tl6");
  expect(previewAround(text, 1)).toBe("> 1\tl1\n  2\tl2\n  3\tl3\n  4\tl4\n  5\tl5");
  expect(previewAround(text, 7)).toBe("  3\tl3\n  4\tl4\n  5\tl5\n  6\tl6\n> 7\tl7");
  expect(previewAround("only", 1)).toBe("> 1\tonly");
});
