import { describe, expect, it } from "vitest";
import type { ReadInput } from "../../src/read/read-input.js";
import { failureOf } from "../support/failure.js";
import { call, project, text } from "../support/project.js";

const poem = "one\ntwo Fish\nthree\nfish four\nfive\nsix\nseven fish\n";

describe("a search in a file", () => {
  it.each([
    { why: "literal text", search: { text: "fish" }, shows: "4: fish four\n7: seven fish\n" },
    {
      why: "whatever the case",
      search: { text: "FISH", ignoreCase: true },
      shows: "2: two Fish\n4: fish four\n7: seven fish\n",
    },
    { why: "text that looks like an expression", search: { text: ".*" }, shows: "[No matching line.]" },
    { why: "an expression", search: { regex: "^f" }, shows: "4: fish four\n5: five\n" },
    {
      why: "an expression that brings its own flag",
      search: { regex: "(?i)FISH$" },
      shows: "2: two Fish\n7: seven fish\n",
    },
    {
      why: "an expression that only works without the unicode flag",
      search: { regex: "f\\-?ive" },
      shows: "5: five\n",
    },
    { why: "lines that do not match", search: { regex: "[ei]", invert: true }, shows: "[No matching line.]" },
    {
      why: "with lines around, groups joined",
      search: { text: "fish", before: 1, after: 1 },
      shows: "3- three\n4: fish four\n5- five\n6- six\n7: seven fish\n",
    },
    {
      why: "with lines around, groups apart",
      search: { text: "i", before: 0, after: 0 },
      shows: "2: two Fish\n4: fish four\n5: five\n6: six\n7: seven fish\n",
    },
    {
      why: "a mark between groups",
      search: { regex: "one|seven", after: 1 },
      shows: "1: one\n2- two Fish\n--\n7: seven fish\n",
    },
  ])("finds $why", async ({ search, shows }) => {
    expect(await text(project({ "a.txt": poem }), { path: "a.txt", search })).toBe(shows);
  });

  it("comes in pages by match, and without numbers when bare text is wanted", async () => {
    const folder = project({ "a.txt": poem });
    const search = { text: "fish", ignoreCase: true };
    expect(await text(folder, { path: "a.txt", search, limit: 1 })).toBe(
      "2: two Fish\n[Matches 1-1 shown. Continue with offset: 2.]",
    );
    expect(await text(folder, { path: "a.txt", search, offset: 2, annotate: false })).toBe(
      "fish four\nseven fish\n[Matches 2-3 shown.]",
    );
    expect(await text(folder, { path: "a.txt", search, offset: 9 })).toBe(
      "[No matching line from offset 9 on. There are 3 before offset 9.]",
    );
  });

  it("matches a line without its end, in CRLF files and behind a byte order mark too", async () => {
    const folder = project({ "a.txt": "\ufeffone\r\ntwo\r\n" });
    expect(await text(folder, { path: "a.txt", search: { regex: "^one$|^two$" } })).toBe("1: one\n2: two\n");
  });

  it("shows of a very long line its beginning only", async () => {
    const folder = project({ "a.txt": `${"🙂".repeat(3000)}needle\n` });
    const shown = await text(folder, { path: "a.txt", search: { text: "needle" } });
    expect(shown).toBe(`1: ${"🙂".repeat(500)}… (6006 characters)\n`);
  });

  it("ends a pattern that runs away by the clock, with an error that says what to do", async () => {
    const folder = project({ "a.txt": `${"a".repeat(40)}!\n` });
    const failure = await failureOf(
      call(folder, { path: "a.txt", search: { regex: "^(a+)+$" } }, { settings: { read: { regexMs: 200 } } }),
    );
    expect(failure).toBe(
      "timeout: The pattern took longer than 200 ms (setting read.regexMs). Use a simpler one, or search.text for literal text.",
    );
  });

  it("keeps what was found before a pattern ran away", async () => {
    const folder = project({ "a.txt": "aaa\n", "b.txt": `${"a".repeat(40)}!\n` });
    const shown = await text(
      folder,
      { path: ".", search: { regex: "^(a+)+$" } },
      { settings: { read: { regexMs: 500 } } },
    );
    expect(shown).toContain("a.txt\n1: aaa\n");
    expect(shown).toContain("[Incomplete: matching took longer than 500 ms");
  });

  it("lets a cancel through while a pattern runs away", async () => {
    const folder = project({ "a.txt": `${"a".repeat(40)}!\n` });
    const stop = new AbortController();
    const work = call(
      folder,
      { path: "a.txt", search: { regex: "^(a+)+$" } },
      { signal: stop.signal, settings: { read: { regexMs: 60_000 } } },
    );
    setTimeout(() => stop.abort(), 50);
    expect(await failureOf(work)).toBe("cancelled: The read was cancelled.");
  });
});

describe("a search in a folder", () => {
  const folder = () =>
    project({
      "a.ts": "find me\n",
      "b.md": "find me too\nnothing\nfind me again\n",
      "sub/c.ts": "nothing\n",
      "sub/d.ts": "find me\n",
      "bin.dat": new Uint8Array([0, 102, 105, 110, 100]),
      "ai-auth-lab.json": '{"token":"find me"}',
      "big.txt": "find me\n".repeat(2000),
    });

  it("names each file above its matches, and what was not searched", async () => {
    const shown = await text(
      folder(),
      { path: ".", search: { text: "find" } },
      { settings: { read: { grepFileSizeLimit: 10_000 } } },
    );
    expect(shown).toBe(
      [
        "a.ts",
        "1: find me",
        "",
        "b.md",
        "1: find me too",
        "3: find me again",
        "",
        "sub/d.ts",
        "1: find me",
        "[1 binary file not searched: bin.dat]",
        "[1 file larger than 10000 bytes not searched (search it by its own path): big.txt]",
        "[1 credential file not searched: ai-auth-lab.json]",
      ].join("\n"),
    );
  });

  it.each([
    { why: "a pattern", input: { glob: "*.ts" }, files: ["a.ts", "sub/d.ts"] },
    { why: "what is left out", input: { exclude: ["sub", "big.txt"] }, files: ["a.ts", "b.md"] },
    { why: "its own files only", input: { recursive: false, exclude: "big.txt" }, files: ["a.ts", "b.md"] },
  ] satisfies readonly { why: string; input: Partial<ReadInput>; files: readonly string[] }[])(
    "is narrowed by $why",
    async ({ input, files }) => {
      const shown = await text(folder(), { path: ".", search: { text: "find" }, ...input });
      expect(shown.split("\n").filter((line) => /^[\w./]+$/.test(line))).toEqual(files);
    },
  );

  it("pages over files", async () => {
    const shown = await text(folder(), {
      path: ".",
      glob: ["*.ts", "*.md"],
      search: { text: "find" },
      offset: 2,
      limit: 2,
    });
    expect(shown).toBe(
      "b.md\n1: find me too\n3: find me again\n[Matches 2-3 shown. Continue with offset: 4.]",
    );
  });

  it.each([
    {
      why: "files",
      settings: { files: 1 },
      says: "stopped after 1 files were searched (setting read.files)",
    },
    {
      why: "bytes",
      settings: { scanBytes: 20 },
      says: "stopped after 20 bytes were read (setting read.scanBytes)",
    },
  ])("stops after so many $why and says so", async ({ settings, says }) => {
    expect(
      await text(folder(), { path: ".", search: { text: "find" } }, { settings: { read: settings } }),
    ).toContain(`[Incomplete: ${says}.]`);
  });

  it("counts the bytes of its files and no more: hundreds of small ones are searched to the end", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`d/${index}.txt`, "nothing\n"]),
    );
    expect(await text(project(files), { path: "d", search: { text: "hit" } })).toBe("[No matching line.]");
  });

  it("stops when the result is full and says where to go on", async () => {
    const shown = await text(
      folder(),
      { path: "big.txt", search: { text: "find" }, limit: 5000 },
      { settings: { read: { outputBytes: 200 } } },
    );
    expect(Buffer.byteLength(shown)).toBeLessThan(300);
    expect(shown).toMatch(/\[Matches 1-(\d+) shown\. Continue with offset: \d+\.\]$/);
  });

  it("ends a glob that runs away", async () => {
    const runaway = project({ ["a".repeat(200)]: "x" });
    expect(
      await failureOf(
        call(runaway, { path: ".", glob: `${"*a".repeat(30)}b` }, { settings: { read: { regexMs: 200 } } }),
      ),
    ).toMatch(/^timeout: /);
  });

  it("is not held up by an ignore file full of stars", async () => {
    const rules = ["*a", "*[a]", "*?", "**/a*"].map((part) => `${part.repeat(30)}b`).join("\n");
    const runaway = project({ ["a".repeat(200)]: "x\n", ".gitignore": rules });
    expect(await text(runaway, { path: ".", ignore: true, search: { text: "x" } })).toBe(
      `${"a".repeat(200)}\n1: x\n`,
    );
  });
});
