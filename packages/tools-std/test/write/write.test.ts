import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Env } from "@ashlar/env";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as tool from "../../src/tools/write.js";
import type { WriteInput } from "../../src/write/write-input.js";
import { failureOf } from "../support/failure.js";
import { memoryExecution, memoryFiles } from "../support/memory-files.js";
import {
  type CallOptions,
  namedPipe,
  person,
  project,
  toolContext,
  writingContext,
} from "../support/project.js";

const write = (folder: string, input: WriteInput, options?: CallOptions): Promise<string> =>
  tool.write(input, writingContext(folder, options));
const content = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

describe("write", () => {
  it("creates a file with the folders above it, overwrites it, and says which", async () => {
    const folder = project();
    expect(await write(folder, { path: "a/b/c.txt", content: "é\n2" })).toBe(
      "Created a/b/c.txt: 4 bytes, 2 lines.",
    );
    expect(await write(folder, { path: "a/b/c.txt", content: "" })).toBe(
      "Overwrote a/b/c.txt: 0 bytes, 0 lines. It had 4 bytes.",
    );
    expect(await write(folder, { path: join(folder, "a/one"), content: "x\n" })).toBe(
      "Created a/one: 2 bytes, 1 line.",
    );
    expect(readdirSync(join(folder, "a"))).toEqual(["b", "one"]);
  });

  it.each([
    { why: "a byte order mark and CRLF", text: "\ufeffa\r\nb\r\n" },
    { why: "NUL and controls", text: "a\0b\u001b[0m" },
    { why: "what looks like JSON", text: "[1,2]" },
    { why: "what looks like a replacement", text: "$& $1 $$ \\1 \\n" },
    { why: "characters of every length", text: "aé日🙂\u2028" },
  ])("writes exactly what it is given: $why", async ({ text }) => {
    const folder = project();
    await write(folder, { path: "t.txt", content: text });
    expect(content(folder, "t.txt")).toBe(text);
  });

  it("keeps the mode of a file", async () => {
    const folder = project({ "run.sh": "x" });
    chmodSync(join(folder, "run.sh"), 0o755);
    await write(folder, { path: "run.sh", content: "y" });
    expect(statSync(join(folder, "run.sh")).mode & 0o777).toBe(0o755);
  });

  it.each(["-rf", " x ", `it's "q"\\`, "n\nl", "$HOME", "__proto__", "日本", "n".repeat(255)])(
    "takes any name a file may have: %j",
    async (name) => {
      const folder = project();
      await write(folder, { path: `./${name}`, content: "x" });
      expect(readdirSync(folder)).toEqual([name]);
    },
  );

  it("works on any machine that is given", async () => {
    const files = memoryFiles({ "/work/a.txt": { kind: "file", bytes: new Uint8Array([65]) } });
    const execution = memoryExecution(files);
    expect(await write("/work", { path: "a.txt", content: "xyz" }, { execution })).toMatch(
      /^Overwrote a\.txt: 3 bytes/,
    );
    expect(await write("/work", { path: "n/b.txt", content: "x" }, { execution })).toMatch(
      /^Created n\/b\.txt/,
    );
    const full = { ...files, write: () => Promise.reject(Object.assign(new Error("x"), { code: "ENOSPC" })) };
    expect(
      await failureOf(write("/work", { path: "a.txt", content: "" }, { execution: memoryExecution(full) })),
    ).toBe("unwritable: a.txt cannot be written: the disk is full.");
  });
});

describe("write with arguments that do not fit", () => {
  it.each([
    {
      why: "an object as content",
      input: { path: "c.json", content: { k: [1, 2] } },
      says: "content: wanted a string, came an object",
    },
    { why: "no content", input: { path: "c.json" }, says: "content: wanted a string, came nothing" },
    {
      why: "a list as path",
      input: { path: ["c.json"], content: "" },
      says: "path: wanted a string, came an array",
    },
    {
      why: "a misspelt field",
      input: { path: "c.json", content: "", contents: "" },
      says: 'no field "contents"; did you mean content?',
    },
    {
      why: "a field of another tool",
      input: { path: "c.json", content: "", append: true },
      says: 'no field "append"',
    },
    {
      why: "half a character",
      input: { path: "c.json", content: "ab\ud83d" },
      says: "half a character (a lone surrogate) at position 3",
    },
  ])("writes nothing and names the field: $why", async ({ input, says }) => {
    const folder = project();
    // As it comes from a model: whatever JSON holds.
    const sent: WriteInput = JSON.parse(JSON.stringify(input));
    const failure = await failureOf(write(folder, sent));
    expect(failure).toMatch(/^usage: /);
    expect(failure).toContain(says);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is told so by the host before it runs, and a text is never parsed", async () => {
    const env = await Env.open(project(), {
      layers: [],
      collect: false,
      // The host takes functions of any arguments; the schema stands for them.
      tools: [{ write: { ...described(), fn: tool.write as never } }],
    });
    try {
      expect(env.toolValidate("write", { path: "t.txt", content: "[1,2]" })).toMatchObject({
        ok: true,
        args: { content: "[1,2]" },
      });
      for (const content of [{ k: [1, 2] }, [1]]) {
        const checked = env.toolValidate("write", { path: "c.json", content });
        expect(checked.ok ? "" : checked.problems.join()).toMatch(/content.*string/);
      }
      expect(env.toolValidate("write", { path: "x", content: "", mode: "a" }).ok).toBe(false);
      expect(env.toolValidate("write", { path: "notes.md" }).ok).toBe(false);
    } finally {
      await env.close();
    }
  });
});

describe("write at the border", () => {
  it("reaches nothing outside, by link, folder or dots, and names where it would have led", async () => {
    const outside = project({ "victim.txt": "original" });
    const folder = project({ "real.md": "r", "a/x": "" });
    symlinkSync(join(outside, "victim.txt"), join(folder, "notes.md"));
    symlinkSync(join(outside, "new.txt"), join(folder, "draft.md"));
    symlinkSync(outside, join(folder, "out"));
    symlinkSync("loop", join(folder, "a/loop"));
    for (const [path, target] of [
      ["notes.md", "victim.txt"],
      ["draft.md", "new.txt"],
      ["out/x.txt", "x.txt"],
      ["out/deep/er/x.txt", "deep/er/x.txt"],
      [`a/../../${basename(outside)}/x.txt`, "x.txt"],
      [join(outside, "x.txt"), "x.txt"],
    ] as const) {
      const failure = await failureOf(write(folder, { path, content: "evil" }));
      expect(failure).toMatch(/^outside: /);
      expect(failure).toContain(join(outside, target));
    }
    expect(await failureOf(write(folder, { path: "a/loop", content: "x" }))).toMatch(/^unreadable: .*circle/);
    expect(readdirSync(outside)).toEqual(["victim.txt"]);
    expect(content(outside, "victim.txt")).toBe("original");
  });

  it("follows a link that stays inside, which stays a link, and a link to the project", async () => {
    const folder = project({ "real.md": "r" });
    symlinkSync("real.md", join(folder, "link.md"));
    symlinkSync("later.md", join(folder, "dangling.md"));
    expect(await write(folder, { path: "link.md", content: "new" })).toMatch(/^Overwrote real\.md/);
    expect(await write(folder, { path: "dangling.md", content: "born" })).toMatch(/^Created later\.md/);
    expect(lstatSync(join(folder, "link.md")).isSymbolicLink()).toBe(true);
    expect(content(folder, "real.md")).toBe("new");
    const door = join(project(), "p");
    symlinkSync(folder, door);
    expect(await write(door, { path: join(door, "real.md"), content: "door" })).toMatch(
      /^Overwrote real\.md/,
    );
    expect(content(folder, "real.md")).toBe("door");
  });

  it("stays in the agent's folder, also when the project is wider", async () => {
    const folder = project({ "sub/a": "", "other/b": "" });
    const options = { folder: join(folder, "sub") };
    expect(await write(folder, { path: "a", content: "x" }, options)).toMatch(/^Overwrote sub\/a/);
    expect(await failureOf(write(folder, { path: "../other/b", content: "x" }, options))).toBe(
      `outside: ../other/b leads to ${join(folder, "other/b")}; this agent may write in ${join(folder, "sub")} only.`,
    );
  });

  it("refuses a file with a second name, and what is no file", async () => {
    const folder = project({ a: "x", "dir/x": "" });
    linkSync(join(folder, "a"), join(folder, "b"));
    namedPipe(join(folder, "pipe"));
    chmodSync(join(folder, "dir/x"), 0o444);
    for (const [path, says] of [
      ["a", "a has 2 names (hard links)"],
      ["dir", "dir is a folder"],
      ["pipe", "pipe is no regular file (fifo)"],
      ["dir/x", "dir/x is read-only (mode 444)"],
    ] as const) {
      expect(await failureOf(write(folder, { path, content: "y" }))).toContain(`refused: ${says}`);
    }
    expect(content(folder, "b")).toBe("x");
  });

  it("changes nothing when the place was swapped between the check and the write", async () => {
    const folder = project({ a: "x" });
    const { files } = (await import("../../src/index.js")).nodeExecution();
    let stats = 0;
    const lstat: typeof files.lstat = async (path) => {
      const stat = await files.lstat(path);
      if (path.endsWith("/a")) stats += 1;
      return stats > 3 ? { ...stat, identity: "other" } : stat;
    };
    expect(
      await failureOf(
        write(folder, { path: "a", content: "y" }, { execution: memoryExecution({ ...files, lstat }) }),
      ),
    ).toBe("changed: a was changed by something else meanwhile; nothing was written. Read it again.");
    expect(content(folder, "a")).toBe("x");
  });
});

describe("write where nothing may be changed, or not without consent", () => {
  it("is refused in a call that may change nothing", async () => {
    const folder = project();
    expect(await failureOf(tool.write({ path: "a", content: "" }, toolContext(folder)))).toBe(
      "refused: write was not run: nothing may be changed here.",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    "ai-auth-lab.json",
    "ai-settings.json",
    "ai-jobs/tasks/x.md",
    ".git/hooks/pre-commit",
    ".git/config",
  ])("is refused for %s, also when a person would allow it", async (path) => {
    const folder = project();
    const { bridge, asked } = person("Allow");
    const failure = await failureOf(write(folder, { path, content: "x", ask: true }, { question: bridge }));
    expect(failure).toMatch(/^refused: /);
    expect(asked).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does not reach a protected place through a link", async () => {
    const folder = project({ "ai-settings.json": "{}" });
    symlinkSync("ai-settings.json", join(folder, "plain.json"));
    expect(await failureOf(write(folder, { path: "plain.json", content: "x" }))).toMatch(
      /^refused: ai-settings\.json/,
    );
  });

  it("asks for AGENTS.md, and writes it when a person allows it", async () => {
    const folder = project();
    const input = { path: "AGENTS.md", content: "one\ntwo\n" };
    expect(await failureOf(write(folder, { ...input, ask: true }))).toContain("Nobody is there to ask");
    const no = person();
    expect(await failureOf(write(folder, input, { question: no.bridge }))).toContain("set ask: true");
    expect(await failureOf(write(folder, { ...input, ask: true }, { question: no.bridge }))).toContain(
      "did not allow it",
    );
    expect(existsSync(join(folder, "AGENTS.md"))).toBe(false);
    const yes = person("Allow");
    await write(folder, { ...input, ask: true }, { question: yes.bridge });
    expect(content(folder, "AGENTS.md")).toBe("one\ntwo\n");
    expect(yes.asked[0]?.details).toContain("> 1\tone\n  2\ttwo");
  });
});

describe("the content check", () => {
  const outside = "/etc/passwd";

  it("refuses an existing path outside, and an absolute path into the project", async () => {
    const folder = project({ "src/a.ts": "" });
    expect(await failureOf(write(folder, { path: "x.sh", content: `a\ncat ${outside}\n` }))).toBe(
      "refused: Nothing was written: content of x.sh names /etc/passwd in line 2 (outside the project). Nobody is there to ask. Use a path relative to the file, or a setting.",
    );
    const absolute = join(folder, "src/a.ts");
    expect(await failureOf(write(folder, { path: "x.sh", content: `cat '${absolute}'` }))).toContain(
      `${absolute} in line 1 (absolute, inside the project)`,
    );
    const up = `../${"../".repeat(20)}etc/passwd`;
    expect(await failureOf(write(folder, { path: "src/x.ts", content: `read("${up}")` }))).toMatch(
      /^refused: /,
    );
    expect(readdirSync(folder)).toEqual(["src"]);
  });

  it("looks into the home folder", async () => {
    vi.stubEnv("HOME", "/etc");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(await failureOf(write(project(), { path: "x", content: "cat ~/passwd" }))).toContain(
      "~/passwd in line 1",
    );
  });

  it.each([
    { why: "a path that does not exist", text: "cat /etc/no-such-file-here" },
    { why: "a temporary place", text: "cp x /tmp/." },
    { why: "a path inside, relative to the file", text: "import '../real.md'" },
    { why: "an address", text: `https://example.org${outside}` },
    { why: "the first line's program", text: "#!/usr/bin/env bash\n" },
    { why: "a device", text: "x > /dev/null" },
  ])("lets pass: $why", async ({ text }) => {
    const folder = project({ "real.md": "" });
    expect(await write(folder, { path: "sub/x", content: text })).toMatch(/^Created/);
  });

  it("does not ask about what the file says already", async () => {
    const folder = project({ x: `cat ${outside}\n` });
    expect(await write(folder, { path: "x", content: `cat ${outside}\nmore\n` })).toMatch(/^Overwrote/);
  });

  it("asks with the lines around it, and writes when a person allows it", async () => {
    const folder = project();
    const input = { path: "x", content: `1\n2\n3\n${outside}\n5\n6\n`, ask: true };
    const yes = person("Allow");
    expect(await write(folder, input, { question: yes.bridge })).toMatch(/^Created/);
    expect(yes.asked).toMatchObject([
      {
        question: "Content of x names /etc/passwd in line 4 (outside the project). Write it?",
        header: "Permission",
        details: "  2\t2\n  3\t3\n> 4\t/etc/passwd\n  5\t5\n  6\t6",
      },
    ]);
    const no = person("Refuse");
    expect(await failureOf(write(folder, { ...input, path: "y" }, { question: no.bridge }))).toContain(
      "did not allow it",
    );
    expect(existsSync(join(folder, "y"))).toBe(false);
  });
});

describe("the description of write", () => {
  it("is neither safe nor trusted, and names what a call will write", () => {
    const { safe, trusted, writes, inputSchema } = described();
    expect({ safe, trusted }).toEqual({ safe: undefined, trusted: undefined });
    // The host hands in what the schema let pass.
    expect(writes?.({ path: "a.txt", content: "" } as never)).toEqual(["a.txt"]);
    expect(inputSchema).toMatchObject({ required: ["path", "content"], additionalProperties: false });
  });
});

function described() {
  const { write } = tool.toolDescription();
  if (write === undefined) throw new Error("write is not described");
  return write;
}
