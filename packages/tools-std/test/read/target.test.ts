import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReadInput } from "../../src/read/read-input.js";
import * as tool from "../../src/tools/read.js";
import { failureOf } from "../support/failure.js";
import { type CallOptions, person, project, toolContext, writingContext } from "../support/project.js";

const save = (folder: string, input: ReadInput, options?: CallOptions) =>
  tool.read(input, writingContext(folder, options));
const content = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

describe("read with target", () => {
  it.each([
    { why: "a text with all its bytes", bytes: Buffer.from("\ufeffa\r\nb\0\n\xff", "latin1") },
    { why: "an image", bytes: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") },
    { why: "a binary file", bytes: Buffer.from([0, 1, 2, 255, 254]) },
    { why: "UTF-16 text", bytes: Buffer.from("fffe41004200", "hex") },
    { why: "an empty file", bytes: Buffer.alloc(0) },
    { why: "a file larger than a result may show", bytes: Buffer.from("line of text\n".repeat(100_000)) },
  ])("copies a whole file byte for byte: $why", async ({ bytes }) => {
    const folder = project({ "from.dat": bytes });
    expect(await save(folder, { path: "from.dat", target: "a/to.dat" })).toMatch(
      `Created a/to.dat: ${bytes.byteLength} byte`,
    );
    expect(readFileSync(join(folder, "a/to.dat")).equals(bytes)).toBe(true);
  });

  it.each<{ why: string; input: Partial<ReadInput>; saved: string }>([
    { why: "lines", input: { lines: { from: 2, to: 3 } }, saved: "two\nthree\n" },
    { why: "the last lines", input: { lines: { last: 1 } }, saved: "four\n" },
    {
      why: "lines with numbers, when they are asked for",
      input: { lines: { from: 4 }, annotate: true },
      saved: "4\tfour\n",
    },
    { why: "a page", input: { offset: 2, limit: 2 }, saved: "two\nthree\n" },
    { why: "characters", input: { characters: { from: 1, to: 3 } }, saved: "one" },
    { why: "matches", input: { search: { text: "t" } }, saved: "two\nthree\n" },
    { why: "base64", input: { base64: true, bytes: { from: 1, to: 3 } }, saved: "b25l" },
  ])("saves what was asked for, without notes: $why", async ({ input, saved }) => {
    const folder = project({ "a.txt": "one\ntwo\nthree\nfour\n" });
    const result = String(await save(folder, { path: "a.txt", target: "out.txt", ...input }));
    expect(result).toMatch(/^Created out\.txt: /);
    expect(content(folder, "out.txt")).toBe(saved);
  });

  it("saves all matches and entries, where a result would show the first hundred", async () => {
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`d/f${index}.txt`, "hit\n"]));
    const folder = project(files);
    await save(folder, { path: "d", target: "list.txt" });
    expect(content(folder, "list.txt").split("\n")).toHaveLength(150);
    await save(folder, { path: "d", search: { text: "hit" }, target: "hits.txt" });
    expect(content(folder, "hits.txt").match(/^hit$/gm)).toHaveLength(150);
    const long = `${"x".repeat(5000)}\n`;
    const wide = project({ "l.txt": long });
    await save(wide, { path: "l.txt", search: { text: "x" }, target: "m.txt" });
    expect(content(wide, "m.txt")).toBe(long);
  });

  it("passes on what has to be said about the result", async () => {
    const folder = project({ "a.txt": Buffer.from("one caf\xe9\nsecond line\n", "latin1") });
    const result = await save(folder, { path: "a.txt", lines: { from: 1, to: 1 }, target: "b.txt" });
    expect(result).toBe(
      "Created b.txt: 11 bytes, 1 line.\n[Line 1 of 2 shown.]\n[Bytes that are not UTF-8 are shown as \ufffd.]",
    );
    expect(content(folder, "b.txt")).toBe("one caf\ufffd\n");
  });

  it.each<{ why: string; input: Partial<ReadInput>; settings: Record<string, number> }>([
    { why: "a file that is too large", input: {}, settings: { artifactBytes: 100 } },
    { why: "lines that do not fit", input: { lines: { from: 1 } }, settings: { artifactBytes: 100 } },
    {
      why: "a line that does not fit",
      input: { path: "long.txt", lines: { from: 1 } },
      settings: { artifactBytes: 100 },
    },
    {
      why: "characters that do not fit",
      input: { characters: { from: 1 } },
      settings: { artifactBytes: 100 },
    },
    { why: "bytes that do not fit", input: { bytes: { from: 1 } }, settings: { artifactBytes: 100 } },
    { why: "base64 that does not fit", input: { base64: true }, settings: { artifactBytes: 100 } },
    { why: "matches that do not fit", input: { search: { text: "row" } }, settings: { artifactBytes: 100 } },
    {
      why: "lines around a match that do not fit",
      input: { path: "long.txt", search: { text: "hit", after: 1 } },
      settings: { artifactBytes: 100 },
    },
    { why: "a scan that was cut short", input: { search: { text: "none" } }, settings: { scanBytes: 100 } },
    { why: "entries that do not fit", input: { path: "." }, settings: { artifactBytes: 10 } },
    { why: "a folder that was not read to its end", input: { path: "." }, settings: { entries: 1 } },
  ])("saves nothing that is not complete: $why", async ({ input, settings }) => {
    const folder = project({ "a.txt": "row of text\n".repeat(100), "long.txt": `hit\n${"x".repeat(500)}` });
    const failure = await failureOf(
      save(folder, { path: "a.txt", target: "out.txt", ...input }, { settings: { read: settings } }),
    );
    expect(failure).toMatch(/^refused: Nothing was saved, because the result is not complete\./);
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "long.txt"]);
  });

  it("says what a binary file would need, when lines of it are asked for", async () => {
    const folder = project({ bin: Buffer.from([0, 1]) });
    expect(await failureOf(save(folder, { path: "bin", lines: { from: 1 }, target: "x" }))).toContain(
      "binary: true",
    );
  });

  it("is refused in a call that may change nothing, before anything is read", async () => {
    const folder = project({ a: "x" });
    expect(await failureOf(tool.read({ path: "a", target: "b" }, toolContext(folder)))).toBe(
      "refused: read with target was not run: nothing may be changed here.",
    );
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("writes where write may, and nowhere else", async () => {
    const outside = project();
    const folder = project({ a: "x" });
    symlinkSync(outside, join(folder, "out"));
    mkdirSync(join(folder, "d"));
    expect(await failureOf(save(folder, { path: "a", target: "out/b" }))).toMatch(/^outside: /);
    expect(await failureOf(save(folder, { path: "a", target: "d" }))).toMatch(/^refused: d is a folder/);
    expect(await failureOf(save(folder, { path: "a", target: "ai-settings.json" }))).toMatch(/^refused: /);
    expect(await failureOf(save(folder, { path: "a", target: "AGENTS.md" }))).toContain(
      "Nobody is there to ask",
    );
    await save(folder, { path: "a", target: "AGENTS.md" }, { question: person("Allow").bridge });
    expect(content(folder, "AGENTS.md")).toBe("x");
    expect(readdirSync(outside)).toEqual([]);
  });

  it("is a mutation, and names what it will write", () => {
    const { read } = tool.toolDescription();
    // The host hands in what the schema let pass.
    const asked = (input: ReadInput) => [read?.readOnly?.(input as never), read?.writes?.(input as never)];
    expect(asked({ path: "a" })).toEqual([true, []]);
    expect(asked({ path: "a", target: "b" })).toEqual([false, ["b"]]);
  });
});
