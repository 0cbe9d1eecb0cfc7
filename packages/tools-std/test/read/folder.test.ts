import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReadInput } from "../../src/read/read-input.js";
import { failureOf } from "../support/failure.js";
import { call, namedPipe, project, text } from "../support/project.js";

const tree = () =>
  project({
    "README.md": "hi\n",
    "src/a.ts": "1\n",
    "src/deep/b.ts": "2\n",
    "src/deep/c.js": "3\n",
    "dist/a.js": "4\n",
    ".github/x.yml": "5\n",
    ".git/config": "6\n",
  });

describe("a folder", () => {
  it.each([
    {
      why: "itself, hidden files too",
      input: { path: "." },
      rows: [".git/", ".github/", "README.md", "dist/", "src/"],
    },
    {
      why: "a sub-folder, spelled from the project",
      input: { path: "src" },
      rows: ["src/a.ts", "src/deep/"],
    },
    {
      why: "with all below, each folder before what is in it",
      input: { path: "src", recursive: true },
      rows: ["src/a.ts", "src/deep/", "src/deep/b.ts", "src/deep/c.js"],
    },
    {
      why: "a pattern in any folder",
      input: { path: ".", glob: "*.ts" },
      rows: ["src/a.ts", "src/deep/b.ts"],
    },
    { why: "a pattern with a path", input: { path: ".", glob: "src/*.ts" }, rows: ["src/a.ts"] },
    {
      why: "a pattern as people spell it",
      input: { path: ".", glob: "./src/**/*.ts" },
      rows: ["src/a.ts", "src/deep/b.ts"],
    },
    {
      why: "several patterns",
      input: { path: ".", glob: ["*.md", "*.yml"] },
      rows: [".github/x.yml", "README.md"],
    },
    {
      why: "a pattern relative to the folder",
      input: { path: "src", glob: "deep/*" },
      rows: ["src/deep/b.ts", "src/deep/c.js"],
    },
    {
      why: "without a folder by name",
      input: { path: ".", recursive: true, exclude: ["dist", ".git*", "deep"] },
      rows: ["README.md", "src/", "src/a.ts"],
    },
    {
      why: "a pattern, not going down",
      input: { path: ".", glob: "*", recursive: false, exclude: ".*" },
      rows: ["README.md", "dist/", "src/"],
    },
    {
      why: ".git is not entered",
      input: { path: ".", recursive: true, glob: "*g*" },
      rows: [".git/", ".github/"],
    },
    { why: "unless it is asked for", input: { path: ".git", recursive: true }, rows: [".git/config"] },
  ] satisfies readonly { why: string; input: ReadInput; rows: readonly string[] }[])(
    "is listed: $why",
    async ({ input, rows }) => {
      expect(await text(tree(), input)).toBe(rows.join("\n"));
    },
  );

  it("says that it is empty, or that nothing fits", async () => {
    const folder = project({ "a.txt": "" });
    mkdirSync(join(folder, "none"));
    expect(await text(folder, { path: "none" })).toBe("[none is an empty folder.]");
    expect(await text(folder, { path: ".", glob: "*.rs" })).toBe("[. has no entry that fits.]");
    expect(await text(folder, { path: ".", offset: 9 })).toBe("[There is no entry 9: there are 2.]");
  });

  it("comes in pages", async () => {
    const folder = project(
      Object.fromEntries(
        Array.from({ length: 250 }, (_, index) => [`f${String(index).padStart(3, "0")}`, ""]),
      ),
    );
    const first = await text(folder, { path: "." });
    expect(first.split("\n")).toHaveLength(101);
    expect(first).toContain("f099\n[Entries 1-100 shown. Continue with offset: 101.]");
    expect(await text(folder, { path: ".", offset: 249 })).toBe("f248\nf249");
    const small = await text(folder, { path: ".", limit: 200 }, { settings: { read: { outputBytes: 50 } } });
    expect(small).toContain("f009\n[Entries 1-10 shown. Continue with offset: 11.]");
  });

  it("leaves out what ignore files name, when asked, the nearest file deciding", async () => {
    const folder = project({
      ".gitignore": "*.log\nbuild/\n/only-here\n",
      "a.log": "",
      "build/x": "",
      "only-here": "",
      "sub/.gitignore": "!keep.log\nlocal\n",
      "sub/keep.log": "",
      "sub/drop.log": "",
      "sub/local": "",
      "sub/only-here": "",
    });
    const rows = [".gitignore", "sub/", "sub/.gitignore", "sub/keep.log", "sub/only-here"];
    expect(await text(folder, { path: ".", recursive: true, ignore: true })).toBe(rows.join("\n"));
    expect(await text(folder, { path: "sub", ignore: true })).toBe(rows.slice(2).join("\n"));
    expect((await text(folder, { path: ".", recursive: true })).split("\n")).toHaveLength(11);
  });

  it("shows where links lead, and follows none on the way down", async () => {
    const outside = project({ "victim.txt": "original\n" });
    const folder = project({ "src/a.txt": "a\n" });
    symlinkSync("src", join(folder, "inner"));
    symlinkSync(outside, join(folder, "outer"));
    symlinkSync("gone", join(folder, "dangling"));
    symlinkSync(".", join(folder, "src/self"));
    namedPipe(join(folder, "pipe"));
    expect((await text(folder, { path: ".", recursive: true })).split("\n")).toEqual([
      "dangling -> (nothing)",
      "inner -> src",
      "outer -> (outside the project)",
      "pipe (fifo)",
      "src/",
      "src/a.txt",
      "src/self -> src",
    ]);
    expect(await text(folder, { path: ".", search: { text: "original" } })).toBe("[No matching line.]");
  });

  it("quotes names that could be misread", async () => {
    const folder = project({ "a\nb.txt": "", "-rf": "", '"q"': "", " x": "" });
    execFileSync("sh", ["-c", "printf x > \"$(printf 'bad\\377')\""], { cwd: folder });
    expect((await text(folder, { path: "." })).split("\n")).toEqual([
      '" x"',
      '"\\"q\\""',
      "-rf",
      '"a\\nb.txt"',
      "bad\ufffd",
    ]);
    expect(await text(folder, { path: ".", glob: "a*b.txt" })).toBe('"a\\nb.txt"');
    expect(await text(folder, { path: ".", info: true })).toContain(
      "bad\ufffd\t(gone, or a name that is not UTF-8)",
    );
  });

  it("gives size and time of each entry with info", async () => {
    expect(await text(project({ a: "abc" }), { path: ".", info: true })).toMatch(
      /^a\t3 bytes\t\d{4}-\d\d-\d\dT/,
    );
  });

  it("stops at its limits and says so", async () => {
    const folder = project(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`d${index}/f`, "x\n"])),
    );
    expect(
      await text(folder, { path: ".", recursive: true }, { settings: { read: { entries: 10 } } }),
    ).toContain("[Incomplete: stopped after 10 folder entries (setting read.entries).]");
    expect(await text(folder, { path: ".", recursive: true }, { deadline: Date.now() })).toContain(
      "[Incomplete: stopped because the time was up",
    );
  });

  it("stops when the call is cancelled", async () => {
    const folder = tree();
    expect(
      await failureOf(call(folder, { path: ".", recursive: true }, { signal: AbortSignal.abort() })),
    ).toBe("cancelled: The read was cancelled.");
  });
});
