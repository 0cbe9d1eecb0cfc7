import { linkSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeExecution } from "../../src/index.js";
import { namedPipe, project } from "../support/project.js";

const { files } = nodeExecution();

describe("the files of this machine", () => {
  it("tell every kind of entry apart", async () => {
    const folder = project({ file: "x", "dir/in": "" });
    symlinkSync("file", join(folder, "link"));
    namedPipe(join(folder, "fifo"));
    const server = createServer().listen(join(folder, "socket"));
    await new Promise((done) => server.once("listening", done));
    try {
      const kinds = (await files.list(folder)).map(({ name, kind }) => [name, kind]);
      expect(Object.fromEntries(kinds)).toEqual({
        file: "file",
        dir: "directory",
        link: "link",
        fifo: "fifo",
        socket: "socket",
      });
      for (const [name, kind] of kinds) expect((await files.lstat(join(folder, name ?? ""))).kind).toBe(kind);
    } finally {
      server.close();
    }
    expect((await files.lstat("/dev/null")).kind).toBe("device");
  });

  it("give two names of one file the same identity", async () => {
    const folder = project({ a: "x", b: "x" });
    linkSync(join(folder, "a"), join(folder, "c"));
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => files.lstat(join(folder, name))));
    expect(a).toEqual(c);
    expect(a?.links).toBe(2);
    expect(b?.identity).not.toBe(a?.identity);
  });

  it("open no link, and a pipe without waiting for its writer", async () => {
    const folder = project({ a: "x" });
    symlinkSync("a", join(folder, "link"));
    namedPipe(join(folder, "fifo"));
    await expect(files.open(join(folder, "link"))).rejects.toMatchObject({ code: "ELOOP" });
    const pipe = await files.open(join(folder, "fifo"));
    expect((await pipe.stat()).kind).toBe("fifo");
    await pipe.close();
  });

  it("read from a position and give 0 at the end", async () => {
    const folder = project({ a: "abcdef" });
    const file = await files.open(join(folder, "a"));
    const buffer = new Uint8Array(4);
    expect(await file.read(buffer, 3)).toBe(3);
    expect(new TextDecoder().decode(buffer.subarray(0, 3))).toBe("def");
    expect(await file.read(buffer, 6)).toBe(0);
    await file.close();
  });
});
