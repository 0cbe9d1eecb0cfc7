import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf } from "../support/failure.js";
import { memoryExecution, memoryFiles } from "../support/memory-files.js";
import { blocksOf, call, namedPipe, project, text } from "../support/project.js";

describe("the border of the project", () => {
  it("holds for links, for a loop and for steps out, and each refusal names the real target", async () => {
    const outside = project({ "victim.txt": "original" });
    const folder = project({ "real.md": "inside\n", "a/x": "" });
    symlinkSync(join(outside, "victim.txt"), join(folder, "notes.md"));
    symlinkSync(join(outside, "new.txt"), join(folder, "draft.md"));
    symlinkSync(outside, join(folder, "out"));
    symlinkSync("loop", join(folder, "a/loop"));
    symlinkSync("real.md", join(folder, "link.md"));
    for (const [path, target] of [
      ["notes.md", "victim.txt"],
      ["draft.md", "new.txt"],
      ["out/victim.txt", "victim.txt"],
      [`a/../../${outside.split("/").at(-1)}/victim.txt`, "victim.txt"],
    ] as const) {
      expect(await failureOf(call(folder, { path }))).toMatch(
        new RegExp(`^outside: .*leads to ${join(outside, target)},`),
      );
    }
    expect(await failureOf(call(folder, { path: "a/loop" }))).toBe(
      "unreadable: a/loop cannot be read: its links go round in a circle.",
    );
    expect(await text(folder, { path: "link.md" })).toBe("1\tinside\n");
    const door = join(project(), "p");
    symlinkSync(folder, door);
    expect(await text(door, { path: join(door, "real.md") })).toBe("1\tinside\n");
  });

  it("says that something is missing by the name it was asked for", async () => {
    expect(await failureOf(call(project(), { path: "src/none.ts" }))).toBe(
      "missing: There is no src/none.ts.",
    );
  });
});

describe("what is no regular file", () => {
  it("is refused by its kind, without waiting for anybody", async () => {
    const folder = project();
    namedPipe(join(folder, "pipe"));
    const server = createServer().listen(join(folder, "socket"));
    onTestFinished(() => {
      server.close();
    });
    await new Promise((done) => server.once("listening", done));
    expect(await failureOf(call(folder, { path: "pipe" }))).toBe(
      "refused: pipe is a named pipe (FIFO), not a file that can be read.",
    );
    expect(await failureOf(call(folder, { path: "socket" }))).toBe(
      "refused: socket is a socket, not a file that can be read.",
    );
    expect(await failureOf(call("/dev", { path: "null" }))).toBe(
      "refused: null is a device, not a file that can be read.",
    );
    expect(await text(folder, { path: ".", search: { text: "x" } })).toBe("[No matching line.]");
  });
});

describe("credentials", () => {
  it("are refused under their own name, through a link and as a hard link", async () => {
    const folder = project({
      "ai-auth-lab.json": "{}",
      "sub/AI-AUTH-x.json": "{}",
      "ai-author.md": "fine\n",
    });
    symlinkSync("ai-auth-lab.json", join(folder, "plain.json"));
    linkSync(join(folder, "ai-auth-lab.json"), join(folder, "hard.json"));
    for (const path of ["ai-auth-lab.json", "sub/AI-AUTH-x.json", "plain.json", "hard.json"]) {
      expect(await failureOf(call(folder, { path }))).toMatch(/^refused: .*holds credentials/);
      expect(await failureOf(call(folder, { path, base64: true }))).toMatch(/^refused: /);
    }
    expect(await text(folder, { path: "ai-author.md" })).toBe("1\tfine\n");
    expect(await text(folder, { path: ".", search: { text: "{}" } })).toContain(
      "[3 credential files not searched: ai-auth-lab.json, hard.json, sub/AI-AUTH-x.json]",
    );
    expect(await text(folder, { path: "." })).toContain("ai-auth-lab.json (credentials, not readable)");
  });

  it("of the user are refused also when the project is the user's own folder", async () => {
    const home = project({
      ".config/ashlar/auth-lab.json": "{}",
      ".config/ashlar/settings.json": "1\n",
      "auth-notes.json": "2\n",
    });
    vi.stubEnv("ASHLAR_HOME", undefined);
    vi.stubEnv("XDG_CONFIG_HOME", join(home, ".config"));
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(await failureOf(call(home, { path: ".config/ashlar/auth-lab.json" }))).toMatch(/^refused: /);
    expect(await text(home, { path: ".config/ashlar/settings.json" })).toBe("1\t1\n");
    expect(await text(home, { path: "auth-notes.json" })).toBe("1\t2\n");
  });
});

describe("a file of another kind", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

  it("is an image, told by its bytes and not by its name", async () => {
    const folder = project({ "logo.txt": png, "fake.png": "no image\n" });
    expect(blocksOf(await call(folder, { path: "logo.txt" }))).toEqual([
      { type: "text", text: "logo.txt: image/png, 12 bytes" },
      { type: "image", content: Buffer.from(png).toString("base64"), mimetype: "image/png" },
    ]);
    expect(await text(folder, { path: "fake.png" })).toBe("1\tno image\n");
  });

  it("is named as binary with size and type, and attached when asked", async () => {
    const folder = project({ "data.zip": new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 255]) });
    expect(await text(folder, { path: "data.zip" })).toBe(
      "data.zip is a binary file (application/zip), 7 bytes.\n[binary: true attaches it; base64: true, with bytes for a part, gives its bytes.]",
    );
    expect(await text(folder, { path: "data.zip", lines: { last: 3 } })).toContain("is a binary file");
    expect(blocksOf(await call(folder, { path: "data.zip", binary: true }))[1]).toEqual({
      type: "binary",
      content: "UEsDBAAA/w==",
      mimetype: "application/zip",
      filename: "data.zip",
    });
    expect(await text(folder, { path: "data.zip", bytes: { from: 1, to: 3 }, base64: true })).toBe(
      "UEsD¶[Bytes 1-3 of 7 shown.]",
    );
  });

  it("is UTF-16 and said to be", async () => {
    const folder = project({ "wide.txt": Buffer.from("\ufeffhello", "utf16le") });
    expect(await text(folder, { path: "wide.txt" })).toContain(
      "wide.txt is UTF-16 text, which is not read as text, 12 bytes.",
    );
  });

  it("is not attached when it is too large, and the limit is said", async () => {
    const folder = project({ "logo.png": png });
    expect(await text(folder, { path: "logo.png" }, { settings: { read: { artifactBytes: 5 } } })).toBe(
      "logo.png: image/png, 12 bytes\n[Not attached: at most 5 bytes are (setting read.artifactBytes). Use bytes with base64 for a part.]",
    );
  });

  it("is given as base64 in parts that fit", async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    const folder = project({ "data.bin": bytes });
    let from = 1;
    const parts: Buffer[] = [];
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const shown = await text(
        folder,
        { path: "data.bin", bytes: { from }, base64: true },
        { settings: { read: { outputBytes: 400 } } },
      );
      parts.push(Buffer.from(shown.split("¶")[0] ?? "", "base64"));
      const next = /"from": (\d+)/.exec(shown)?.[1];
      if (next === undefined) break;
      from = Number(next);
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });
});

describe("another machine", () => {
  const files = memoryFiles({
    "/work/a.txt": { kind: "file", bytes: new TextEncoder().encode("from memory\n") },
    "/work/sub/b.txt": { kind: "file", bytes: new TextEncoder().encode("memory again\n") },
    "/work/locked.txt": { kind: "file", fails: "EACCES" },
    "/work/closed": { kind: "directory", fails: "EACCES" },
    "/work/disk": { kind: "file", fails: "EIO" },
    "/work/dev": { kind: "device" },
  });
  const execution = memoryExecution(files);

  it("is read, listed and searched through the files it brings", async () => {
    expect(await text("/work", { path: "a.txt" }, { execution })).toBe("1\tfrom memory\n");
    expect(await text("/work", { path: "sub" }, { execution })).toBe("sub/b.txt");
    expect(await text("/work", { path: ".", search: { text: "memory" } }, { execution })).toBe(
      "a.txt\n1: from memory\n\nsub/b.txt\n1: memory again\n[3 paths could not be read: closed, disk, locked.txt]",
    );
  });

  // A test that runs as root may read every real file, so the refusals of an operating system come from memory.
  it.each([
    { path: "locked.txt", says: "unreadable: locked.txt cannot be read: permission denied." },
    { path: "disk", says: "unreadable: disk cannot be read: the disk failed." },
    { path: "closed", says: "unreadable: closed cannot be read: permission denied." },
    { path: "dev", says: "refused: dev is a device, not a file that can be read." },
    { path: "none", says: "missing: There is no none." },
  ])("says why $path cannot be read", async ({ path, says }) => {
    expect(await failureOf(call("/work", { path }, { execution }))).toBe(says);
  });

  it("lists what it can and says what it cannot", async () => {
    expect(await text("/work", { path: ".", recursive: true }, { execution })).toContain(
      "[1 folder could not be listed: closed]",
    );
  });

  it("has shrunk while it was read", async () => {
    const shrinking = memoryFiles({
      "/work/a.txt": { kind: "file", bytes: new TextEncoder().encode("x\n".repeat(500_000)) },
    });
    let reads = 0;
    const open: typeof shrinking.open = async (path) => {
      const file = await shrinking.open(path);
      return { ...file, read: async (buffer, at) => (++reads > 3 ? 0 : file.read(buffer, at)) };
    };
    const shown = await text(
      "/work",
      { path: "a.txt", lines: { last: 2 } },
      { execution: memoryExecution({ ...shrinking, open }) },
    );
    expect(shown).toMatch(/The file is empty|there is no line|Lines? \d/);
  });

  it("is refused when another file stands in the place of the one that was checked", async () => {
    const swapping = { ...files, open: async () => files.open("/work/sub/b.txt") };
    expect(await failureOf(call("/work", { path: "a.txt" }, { execution: memoryExecution(swapping) }))).toBe(
      "unreadable: a.txt was replaced while it was opened; try again.",
    );
  });
});

describe("files that others are writing", () => {
  it("are read to the end they have now", async () => {
    const folder = project({ "log.txt": "x\n".repeat(100_000) });
    const file = join(folder, "log.txt");
    const reading = Promise.all(
      Array.from({ length: 20 }, () => text(folder, { path: "log.txt", lines: { last: 3 } })),
    );
    for (let round = 0; round < 50; round += 1)
      writeFileSync(file, "y\n".repeat(round % 2 === 0 ? 3 : 100_000));
    for (const shown of await reading) expect(shown).toMatch(/\t[xy]\n|no line|empty|not be counted/);
  });

  it("may vanish between the listing and the reading", async () => {
    const folder = project({ "a/b/c.txt": "find\n" });
    mkdirSync(join(folder, "gone"));
    const { files } = (await import("../../src/index.js")).nodeExecution();
    const list: typeof files.list = async (path) => [
      ...(await files.list(path)),
      { name: "ghost.txt", kind: "file" },
    ];
    expect(
      await text(
        folder,
        { path: ".", search: { text: "find" } },
        { execution: memoryExecution({ ...files, list }) },
      ),
    ).toMatch(/^a\/b\/c\.txt\n1: find\n\[\d paths could not be read: /);
  });
});
