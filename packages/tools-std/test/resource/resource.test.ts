import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ResourceInput } from "../../src/resource/resource-input.js";
import * as tool from "../../src/tools/resource.js";
import { failureOf } from "../support/failure.js";
import { type CallOptions, person, project, toolContext, writingContext } from "../support/project.js";
import { skillHost } from "../support/skills.js";

const content = skillHost({
  a: {
    files: {
      "notes.md": "Äpfel\n",
      "empty.txt": "",
      "odd\nname": "x",
      "data.bin": Uint8Array.of(1, 0, 2),
      "latin.txt": Uint8Array.of(0xc4, 0x70),
      "large.txt": "x".repeat(131_073),
    },
  },
  bare: {},
});

const read = (input: ResourceInput): Promise<string> =>
  tool.resource(input, toolContext(project(), { content }));
const saving = (folder: string, input: Partial<ResourceInput>, options: CallOptions = {}): Promise<string> =>
  tool.resource({ name: "a", path: "data.bin", ...input }, writingContext(folder, { content, ...options }));

describe("the files of a skill", () => {
  it("are listed with their sizes", async () => {
    expect((await read({ name: "a" })).split("\n").slice(0, 3)).toEqual([
      "notes.md (7 bytes)",
      "empty.txt (0 bytes)",
      '"odd\\nname" (1 byte)',
    ]);
    expect(await read({ name: "bare" })).toBe("[The skill bare has no files beside it.]");
  });

  it("are shown when they are text of a size to be shown", async () => {
    expect(await read({ name: "a", path: "notes.md" })).toBe("Äpfel\n");
    expect(await read({ name: "a", path: "empty.txt" })).toBe("[empty.txt is empty.]");
    for (const [path, says] of [
      ["data.bin", "no text"],
      ["latin.txt", "no UTF-8 text"],
      ["large.txt", "131073 bytes"],
    ] as const)
      expect(await failureOf(read({ name: "a", path })), path).toMatch(
        new RegExp(`^usage: path: .*${says}.*target`),
      );
    expect(await failureOf(read({ name: "a", path: "none" }))).toContain('no file "none"');
    expect(await failureOf(read({ name: "nobody" }))).toContain('no skill "nobody"');
  });
});

describe("a file that is saved", () => {
  it("is the same bytes under a new name, folders included", async () => {
    const folder = project();
    expect(await saving(folder, { target: "sub/new.bin" })).toBe(
      "Saved data.bin of a as sub/new.bin: 3 bytes.",
    );
    expect([...readFileSync(join(folder, "sub/new.bin"))]).toEqual([1, 0, 2]);
    expect(await failureOf(saving(folder, { target: "sub/new.bin" }))).toMatch(
      /^usage: target: .*exists already/,
    );
  });

  it.each([
    { why: "outside", target: "../x", says: "outside: " },
    { why: "through a link", target: "link/x", says: "outside: " },
    { why: "a folder", target: ".", says: "refused: " },
    { why: "settings", target: "ai-settings.json", says: "refused: " },
    { why: "a skill", target: "ai-skills/b/SKILL.md", says: "Or set ask: true" },
    { why: "a shared skill", target: ".agents/skills/b/SKILL.md", says: "Or set ask: true" },
    { why: "a prompt", target: "ai-prompts/b.md", says: "Or set ask: true" },
    { why: "no path", target: "", says: "usage: path is empty" },
  ])("never lands $why", async ({ target, says }) => {
    const folder = project();
    symlinkSync(project(), join(folder, "link"));
    expect(await failureOf(saving(folder, { target }, { question: person().bridge }))).toContain(says);
    expect(existsSync(join(folder, "ai-skills"))).toBe(false);
  });

  it("may become a skill when a person allows it", async () => {
    const folder = project();
    const { bridge, asked } = person("Allow");
    const target = "ai-skills/b/data.bin";
    expect(await saving(folder, { target, ask: true }, { question: bridge })).toContain("Saved");
    expect(asked[0]?.details).toBe("data.bin of the skill a, 3 bytes");
  });

  it("needs a path, and a call that may change something", async () => {
    const folder = project();
    expect(
      await failureOf(tool.resource({ name: "a", target: "x" }, writingContext(folder, { content }))),
    ).toContain("usage: path: is needed with target");
    const input = { name: "a", path: "data.bin", target: "x" };
    expect(await failureOf(tool.resource(input, toolContext(folder, { content })))).toMatch(/^refused: /);
    expect(await failureOf(tool.resource(input, writingContext(folder)))).toMatch(
      /^refused: There are no skills/,
    );
  });

  it("is said to change something before it is called, and what", () => {
    const { readOnly, writes } = tool.toolDescription().resource ?? {};
    const save = { name: "a", path: "b", target: "c" };
    expect([readOnly?.(save as never), readOnly?.({ name: "a" } as never)]).toEqual([false, true]);
    expect([writes?.(save as never), writes?.({ name: "a" } as never)]).toEqual([["c"], []]);
  });
});
