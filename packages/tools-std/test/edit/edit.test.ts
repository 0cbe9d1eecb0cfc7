import { linkSync, lstatSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import type { EditInput } from "../../src/edit/edit-input.js";
import * as tool from "../../src/tools/edit.js";
import { content, edit, one, resultOf } from "../support/edit-call.js";
import { failureOf } from "../support/failure.js";
import { memoryExecution, memoryFiles } from "../support/memory-files.js";
import { namedPipe, person, project, call as read, toolContext } from "../support/project.js";

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

  it("comes for hundreds of thousands of places in one line, new lines and all", async () => {
    const folder = project({ a: `${"a b ".repeat(300_000)}\r\n` });
    const done = await resultOf(edit(folder, { ...one("a", "b", "\n"), matchAll: true }));
    expect(done).toContain("at 300000 places");
    expect(content(folder, "a")).toBe(`${"a \r\n ".repeat(300_000)}\r\n`);
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

describe("the description of edit", () => {
  it("is neither safe nor trusted, and names what a call will write", () => {
    const { edit: described } = tool.toolDescription();
    expect(described?.safe).toBeUndefined();
    // The host hands in what the schema let pass.
    expect(described?.writes?.(one("a.txt", "x", "y") as never)).toEqual(["a.txt"]);
  });
});
