import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeExecution } from "../../src/index.js";
import { namedPipe, project } from "../support/project.js";

const { files } = nodeExecution();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("writing a file of this machine", () => {
  it("puts new content in place and leaves nothing beside it", async () => {
    const folder = project({ old: "before" });
    await files.write(join(folder, "old"), bytes("after"));
    await files.write(join(folder, "new"), bytes(""));
    expect(readFileSync(join(folder, "old"), "utf8")).toBe("after");
    expect(readdirSync(folder).sort()).toEqual(["new", "old"]);
  });

  it.each([0o755, 0o600, 0o444, 0o640])("keeps mode %o of a file", async (mode) => {
    const folder = project({ run: "x" });
    chmodSync(join(folder, "run"), mode);
    await files.write(join(folder, "run"), bytes("y"), { mode: 0o777 });
    expect(statSync(join(folder, "run")).mode & 0o7777).toBe(mode);
  });

  it("gives a new file the mode that is asked for, less the umask", async () => {
    const folder = project();
    await files.write(join(folder, "new"), bytes("y"), { mode: 0o700 });
    expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.getuid?.() === 0)("keeps the owner of a file", async () => {
    const folder = project({ theirs: "x" });
    chownSync(join(folder, "theirs"), 1234, 1235);
    await files.write(join(folder, "theirs"), bytes("y"));
    expect(statSync(join(folder, "theirs"))).toMatchObject({ uid: 1234, gid: 1235 });
  });

  it("follows no link at the last component, and replaces none", async () => {
    const outside = project({ victim: "original" });
    const folder = project();
    symlinkSync(join(outside, "victim"), join(folder, "link"));
    symlinkSync(join(outside, "none"), join(folder, "dangling"));
    for (const name of ["link", "dangling"]) {
      await expect(files.write(join(folder, name), bytes("x"))).rejects.toMatchObject({ code: "ELOOP" });
      expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(true);
    }
    expect(readdirSync(outside)).toEqual(["victim"]);
    expect(readFileSync(join(outside, "victim"), "utf8")).toBe("original");
  });

  it.each([
    { why: "a file", make: (path: string) => linkSync(join(path, "../a"), path) },
    { why: "a folder", make: (path: string) => mkdirSync(path) },
    { why: "a dangling link", make: (path: string) => symlinkSync("none", path) },
  ])("fails with EEXIST when it must be new and there is $why", async ({ make }) => {
    const folder = project({ a: "x" });
    make(join(folder, "there"));
    const writing = files.write(join(folder, "there"), bytes("y"), { exclusive: true });
    await expect(writing).rejects.toMatchObject({ code: "EEXIST" });
    expect(readdirSync(folder).sort()).toEqual(["a", "there"]);
  });

  it("is refused by a folder and a pipe", async () => {
    const folder = project({ "dir/x": "" });
    namedPipe(join(folder, "pipe"));
    await expect(files.write(join(folder, "dir"), bytes("y"))).rejects.toMatchObject({ code: "EISDIR" });
    await expect(files.write(join(folder, "pipe"), bytes("y"))).rejects.toMatchObject({ code: "EINVAL" });
    await expect(files.write(join(folder, "no/x"), bytes("y"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("lets only one of many win a new name, whole", async () => {
    const folder = project();
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        files.write(join(folder, "one"), bytes(String(index).repeat(100_000)), { exclusive: true }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(readFileSync(join(folder, "one"), "utf8")).toMatch(/^(\d)\1{99999}$/);
    expect(readdirSync(folder)).toEqual(["one"]);
  });

  it("never shows half a file to a reader", async () => {
    const folder = project({ f: "a".repeat(200_000) });
    let writing = true;
    const seen = new Set<string>();
    const reader = (async () => {
      while (writing) {
        const text = readFileSync(join(folder, "f"), "utf8");
        seen.add(`${text.length}${new Set(text).size}`);
        await new Promise((done) => setTimeout(done, 1));
      }
    })();
    for (let round = 0; round < 20; round += 1)
      await files.write(join(folder, "f"), bytes((round % 2 === 0 ? "b" : "a").repeat(200_000)));
    writing = false;
    await reader;
    expect([...seen]).toEqual(["2000001"]);
  });
});

describe("folders and links of this machine", () => {
  it("are made with those above them, and read as they are written", async () => {
    const folder = project();
    await files.createFolder(join(folder, "a/b/c"));
    await files.createFolder(join(folder, "a/b"));
    expect(lstatSync(join(folder, "a/b/c")).isDirectory()).toBe(true);
    symlinkSync("../none/here", join(folder, "link"));
    expect(await files.readlink(join(folder, "link"))).toBe("../none/here");
  });
});

describe("removing a file of this machine", () => {
  it("takes the file and nothing else", async () => {
    const folder = project({ gone: "x", stays: "y" });
    await files.remove(join(folder, "gone"));
    expect(readdirSync(folder)).toEqual(["stays"]);
  });

  it("removes no folder, no link, no pipe, and nothing that is not there", async () => {
    const folder = project({ target: "x", "full/a": "y" });
    symlinkSync(join(folder, "target"), join(folder, "link"));
    mkdirSync(join(folder, "empty"));
    namedPipe(join(folder, "pipe"));
    for (const [name, code] of [
      ["full", "EISDIR"],
      ["empty", "EISDIR"],
      ["link", "ELOOP"],
      ["pipe", "EINVAL"],
      ["none", "ENOENT"],
    ] as const) {
      await expect(files.remove(join(folder, name))).rejects.toMatchObject({ code });
    }
    expect(readdirSync(folder).sort()).toEqual(["empty", "full", "link", "pipe", "target"]);
  });
});
