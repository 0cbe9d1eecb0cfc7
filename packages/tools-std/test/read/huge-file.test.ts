import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failureOf } from "../support/failure.js";
import { call, project, text } from "../support/project.js";

const GIGABYTES = 3 * 1024 ** 3;

/** Three gigabytes: text at both ends and, between them, a hole that takes no room on the disk. */
function hugeFile(): string {
  const folder = project();
  const file = openSync(join(folder, "huge.log"), "w");
  writeSync(file, `first\nsecond\n${"filler\n".repeat(5000)}`);
  ftruncateSync(file, GIGABYTES);
  const end = "\nlast but one\nlast\n";
  writeSync(file, end, GIGABYTES - end.length);
  closeSync(file);
  return folder;
}

describe("a file of three gigabytes", () => {
  it("is read at its beginning, at its end and by bytes anywhere, without being loaded", async () => {
    const folder = hugeFile();
    const before = process.memoryUsage().rss;
    expect(await text(folder, { path: "huge.log", limit: 2 })).toBe(
      "1\tfirst\n2\tsecond\n[Lines 1-2 shown. Continue with offset: 3.]",
    );
    expect(await text(folder, { path: "huge.log", lines: { last: 2 } })).toBe(
      "-2\tlast but one\n-1\tlast\n[The lines are numbered from the end of the file.]",
    );
    expect(await text(folder, { path: "huge.log", bytes: { from: -5, to: -2 } })).toBe(
      `last¶[Bytes ${GIGABYTES - 4}-${GIGABYTES - 1} of ${GIGABYTES} shown.]`,
    );
    expect(await text(folder, { path: "huge.log", info: true })).toContain(
      "lines: not counted, the file is too large",
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
  });

  it("says what it did not reach", async () => {
    const folder = hugeFile();
    const settings = { read: { scanBytes: 1_000_000 } };
    expect(await text(folder, { path: "huge.log", offset: 900_000_000 }, { settings })).toBe(
      "[Line 900000000 was not reached.]\n[Incomplete: stopped after 1000000 bytes were read (setting read.scanBytes).]",
    );
    expect(await text(folder, { path: "huge.log", search: { text: "nowhere" } }, { settings })).toContain(
      "[Incomplete: ",
    );
    expect(await text(folder, { path: "huge.log", characters: { from: 2_000_000 } }, { settings })).toContain(
      "[Incomplete: ",
    );
  });

  it("refuses ranges that would need a count, and says what to use", async () => {
    const folder = hugeFile();
    expect(await failureOf(call(folder, { path: "huge.log", lines: { from: 2, to: -2 } }))).toMatch(
      /^usage: lines: .*too large/,
    );
    expect(await failureOf(call(folder, { path: "huge.log", characters: { from: -5 } }))).toMatch(
      /^usage: characters: .*Use bytes/,
    );
  });

  it("goes on from the end by the numbers it gives", async () => {
    const folder = project({
      "a.log": Array.from({ length: 100 }, (_, index) => `row ${index + 1}\n`).join(""),
    });
    const settings = { read: { fileBytes: 100, outputBytes: 40 } };
    const shown = await text(folder, { path: "a.log", lines: { last: 10 } }, { settings });
    expect(shown).toBe(
      '-10\trow 91\n-9\trow 92\n-8\trow 93\n[The lines are numbered from the end of the file.]\n[Continue with lines: {"from": -7, "to": -1}.]',
    );
  });
});

describe("one endless line", () => {
  it("is bounded, and says where it goes on", async () => {
    const folder = project({ "line.txt": "z".repeat(3_000_000) });
    const shown = await text(folder, { path: "line.txt" });
    expect(Buffer.byteLength(shown)).toBeLessThan(66_000);
    expect(shown).toContain('[Line 1 is too long and was cut. It goes on with bytes: {"from": 65535}.]');
    expect(await text(folder, { path: "line.txt", search: { text: "zz" } })).toContain("… (");
  });
});
