import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageAssistant, messageUser } from "@ashlar/context";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, keep, type Place } from "./fixture.js";

/** Lines of a session's file: the header, then the entries. */
type Lines = readonly string[];

let place: Place;
let file: string;
beforeEach(async () => {
  place = await createPlace();
  await keep(place, {
    id: "s",
    items: [
      messageUser("first"),
      messageAssistant("second"),
      messageUser("third"),
      messageAssistant("fourth"),
    ],
  });
  file = join(place.sessions, "s.jsonl");
});
afterEach(() => place.remove());

const entryLines = (lines: Lines): Lines => lines.filter((line) => line.includes('"kind":"message"'));
const replaced = (lines: Lines, change: (line: string, entry: number) => string | undefined): Lines => {
  let entry = 0;
  return lines.flatMap((line) => {
    if (!line.includes('"kind":"message"')) return [line];
    entry += 1;
    const changed = change(line, entry);
    return changed === undefined ? [] : [changed];
  });
};
const idIn = (line: string | undefined): string => /"id":"([^"]+)"/.exec(line ?? "")?.[1] ?? "";

describe("ashlar sessions show on a file", () => {
  it.each([
    {
      why: "whose last line is torn",
      spoil: (lines: Lines) => `${lines.slice(0, -1).join("\n")}\n{"id":"x","seq":9,"par`,
      shows: ["first", "fourth"],
      says: /s\.jsonl:\d+: the last line has no end/,
    },
    {
      why: "with two lines glued together",
      spoil: (lines: Lines) =>
        replaced(lines, (line, entry) => (entry === 2 ? `${line.slice(0, 40)}${line}` : line)).join("\n"),
      shows: ["first", "third", "fourth"],
      says: /s\.jsonl:\d+/,
    },
    {
      why: "whose lines are out of order",
      spoil: (lines: Lines) => {
        const [one = "", two = "", ...rest] = entryLines(lines);
        return [lines[0], two, one, ...rest, ""].join("\n");
      },
      shows: ["first", "second", "third", "fourth"],
      says: undefined,
    },
    {
      why: "with a line twice",
      spoil: (lines: Lines) =>
        replaced(lines, (line, entry) => (entry === 2 ? `${line}\n${line}` : line)).join("\n"),
      shows: ["first", "fourth"],
      says: /s\.jsonl:\d+: .*second time/,
    },
    {
      why: "whose parents form a ring",
      spoil: (lines: Lines) => {
        const last = idIn(entryLines(lines).at(-1));
        return replaced(lines, (line, entry) =>
          entry === 1 ? line.replace('"parent":null', `"parent":"${last}"`) : line,
        ).join("\n");
      },
      shows: ["first", "fourth"],
      says: /s\.jsonl:\d+: .*lost/,
    },
    {
      why: "with a line missing",
      spoil: (lines: Lines) => replaced(lines, (line, entry) => (entry === 2 ? undefined : line)).join("\n"),
      shows: ["first", "third", "fourth"],
      says: /s\.jsonl:\d+: .*missing/,
    },
    {
      why: "with a run of NULs",
      spoil: (lines: Lines) =>
        replaced(lines, (line, entry) => (entry === 3 ? `${"\u0000".repeat(512)}${line}` : line)).join("\n"),
      shows: ["first", "third", "fourth"],
      says: /s\.jsonl:\d+: .*512 NUL bytes/,
    },
    {
      why: "without its header",
      spoil: (lines: Lines) => lines.slice(1).join("\n"),
      shows: ["first", "fourth"],
      says: /s\.jsonl:1: .*no header/,
    },
    {
      why: "whose clock stood still in 1970 and then far away",
      spoil: (lines: Lines) =>
        replaced(lines, (line, entry) =>
          line.replace(/"at":\d+/, `"at":${entry === 1 ? "0" : "9e300"}`),
        ).join("\n"),
      shows: ["1970-01-01", "time unknown", "fourth"],
      says: undefined,
    },
  ])("$why shows what can be read, says the line, and changes nothing", async ({ spoil, shows, says }) => {
    await writeFile(file, spoil((await readFile(file, "utf8")).split("\n")));
    const before = await readFile(file);
    const { code, stdout, stderr } = await place.run(["sessions", "show", "s"]);
    expect(code).toBe(0);
    for (const text of shows) expect(stdout).toContain(text);
    if (says === undefined) expect(stderr).toBe("");
    else expect(stderr).toMatch(says);
    expect(await readFile(file)).toEqual(before);
  });

  it.each([
    { why: "is empty", text: "" },
    { why: "is somebody else's", text: '{"role":"user","content":"hello"}\n' },
    { why: "is no text", text: "\u0001\u0002\u0003" },
  ])("that $why is refused with its line, and stays as it is", async ({ text }) => {
    await writeFile(file, text);
    for (const args of [
      ["show", "s"],
      ["export", "s"],
      ["rename", "s", "x"],
      ["fork", "s"],
    ]) {
      const { code, stdout, stderr } = await place.run(["sessions", ...args]);
      expect([args[0], code, stdout]).toEqual([args[0], 1, ""]);
      expect(stderr).toMatch(/s\.jsonl:1: /);
    }
    expect(await readFile(file, "utf8")).toBe(text);
    expect((await place.run(["sessions", "list"])).code).toBe(0);
  });

  it("that is a folder is refused by name", async () => {
    await mkdir(join(place.sessions, "folder.jsonl"));
    const { code, stderr } = await place.run(["sessions", "show", "folder"]);
    expect(code).toBe(1);
    expect(stderr).toContain("folder.jsonl");
    expect((await place.run(["sessions", "list"])).stdout).toMatch(/^s /);
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

describe.runIf(canMount)("a full disk (needs root on Linux)", () => {
  it("ends an export with what is wrong, and leaves no piece of it", async () => {
    const disk = join(place.project, "disk");
    await mkdir(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", disk]);
    try {
      await keep(place, { id: "long", items: [messageUser("stone ".repeat(20_000))] });
      const { code, stderr } = await place.run(["sessions", "export", "long", "-o", join(disk, "a.md")]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/--output .*a\.md: it cannot be written \(ENOSPC/);
      expect(await readdir(disk)).toEqual([]);
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  });
});
