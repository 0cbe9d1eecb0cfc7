import type { JsonValue } from "@ashlar/context";
import type { ToolRecords } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import type { NoteInput } from "../../src/note/note-input.js";
import * as tool from "../../src/tools/note.js";
import { failureOf } from "../support/failure.js";
import { type CallOptions, project, toolContext } from "../support/project.js";

interface Notebook {
  readonly note: (input: NoteInput, options?: CallOptions) => Promise<string>;
  readonly fails: (input: NoteInput) => Promise<string>;
  /** Every record that was added. */
  readonly added: readonly (readonly [string, JsonValue])[];
}

/** The tool over a conversation whose newest record is this. */
function notebook(latest?: JsonValue): Notebook {
  const added: (readonly [string, JsonValue])[] = [];
  const records: ToolRecords = {
    latest: async () => added.at(-1)?.[1] ?? latest,
    append: async (type, value) => {
      added.push([type, value]);
    },
    holds: async () => false,
  };
  const folder = project();
  const note: Notebook["note"] = (input, options) =>
    tool.note(input, toolContext(folder, { records, ...options }));
  return { note, fails: (input) => failureOf(note(input)), added };
}

const set = (title: string, fields: Readonly<Record<string, unknown>> = {}): NoteInput => ({
  action: "set",
  notes: [{ title, fields }],
});

describe("setting a note", () => {
  it("makes it, and merges into one that is there; null removes", async () => {
    const { note, added } = notebook();
    expect(await note(set("Plan", { status: "open", sub: { a: 1, b: [null] }, old: true }))).toBe(
      'Added "Plan". 1 of 100 notes are kept.',
    );
    const more: NoteInput = {
      action: "set",
      notes: [{ title: " Plan ", fields: { status: "done", sub: { a: null, c: 2 }, old: null } }, "Idea"],
    };
    expect(await note(more)).toBe('Added "Idea". Changed "Plan". 2 of 100 notes are kept.');
    expect(await note({ action: "get", notes: ["Plan"] })).toBe(
      '{"title":"Plan","fields":{"status":"done","sub":{"b":[null],"c":2}}}',
    );
    expect(added.map(([type]) => type)).toEqual(["tool:note", "tool:note"]);
  });

  it("adds no record when nothing changes, and names only what did", async () => {
    const { note, added } = notebook();
    await note({ action: "set", notes: [{ title: "a", fields: { x: 1 } }, "b"] });
    expect(await note(set("a", { x: 1, gone: null }))).toMatch(/^Nothing changed/);
    expect(added).toHaveLength(1);
    expect(await note({ action: "set", notes: ["a", { title: "b", fields: { y: 2 } }] })).toBe(
      'Changed "b". 2 of 100 notes are kept.',
    );
  });

  it("loses nothing when calls overlap", async () => {
    const { note } = notebook();
    await Promise.all(Array.from({ length: 20 }, (_, index) => note(set(`n${index}`))));
    expect((await note({ action: "list" })).split("\n")).toHaveLength(20);
  });

  it("keeps a field of any name", async () => {
    const { note } = notebook();
    // As it comes from JSON: a member of its own.
    const fields: Readonly<Record<string, unknown>> = JSON.parse('{"__proto__": "p", "constructor": 1}');
    await note(set("odd", fields));
    expect(await note({ action: "get", notes: ["odd"] })).toBe(
      '{"title":"odd","fields":{"__proto__":"p","constructor":1}}',
    );
  });

  it.each([
    { why: "a title that is too long", input: set("é".repeat(161)), says: "has 161 characters; at most 160" },
    { why: "a blank title", input: set("  "), says: "a title is not empty" },
    { why: "a title of two lines", input: set("a\nb"), says: "a title is one line" },
    { why: "half a character", input: set("\ud800"), says: "a lone surrogate" },
    {
      why: "a field name that is too long",
      input: set("a", { ["x".repeat(65)]: 1 }),
      says: "has 65 characters; at most 64",
    },
    {
      why: "too many fields",
      input: set("a", Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`f${index}`, 1]))),
      says: "would have 33 fields; at most 32",
    },
    { why: "too much", input: set("a", { x: "y".repeat(4096) }), says: "at most 4096 fit" },
    {
      why: "no notes",
      input: { action: "set" } as const,
      says: 'such as {"action": "set", "notes": ["a title"]}',
    },
    {
      why: "too many notes for one call",
      input: { action: "set", notes: Array.from({ length: 21 }, (_, index) => `n${index}`) } as const,
      says: "wanted 1 to 20 notes, came 21",
    },
    { why: "a search", input: { ...set("a"), pattern: "x" }, says: "pattern: does not go with set" },
  ])("is refused with $why, and keeps nothing", async ({ input, says }) => {
    const { fails, added } = notebook();
    expect(await fails(input)).toMatch(/^usage: /);
    expect(await fails(input)).toContain(says);
    expect(added).toEqual([]);
  });

  it("takes the longest of everything, and no more than a hundred notes", async () => {
    const { note, fails } = notebook({
      notes: Array.from({ length: 99 }, (_, index) => ({ title: `n${index}`, fields: {} })),
    });
    const title = "\u{1f600}".repeat(160);
    const room = 4096 - JSON.stringify({ title: "", fields: { x: "" } }).length - 160;
    expect(await note(set(title, { x: "\u{1f600}".repeat(room) }))).toContain("100 of 100 notes are kept");
    expect(await fails(set(title, { x: "y".repeat(room + 1) }))).toContain("would have 4097 characters");
    expect(await fails(set("one more"))).toContain("101 notes would be kept; at most 100 fit. Remove some");
  });
});

describe("reading and removing notes", () => {
  const filled = async (): Promise<Notebook> => {
    const book = notebook();
    await book.note(set("Plan", { status: "half done", steps: ["Build", "test"] }));
    await book.note(set("Bug (1)", { status: "OPEN", file: "a.ts" }));
    return book;
  };

  it("lists titles, the last changed first, or some fields", async () => {
    const { note } = await filled();
    expect(await note({ action: "list" })).toBe("Bug (1)\nPlan");
    expect(await note({ action: "list", only: ["status"], max: 1 })).toBe(
      '{"title":"Bug (1)","fields":{"status":"OPEN"}}\n[1 of 2 notes. Ask with a larger max, up to 50, or search.]',
    );
    expect(await notebook().note({ action: "list" })).toBe("[No notes.]");
  });

  it("shows those that are named, each once, and some of their fields", async () => {
    const { note } = await filled();
    expect(await note({ action: "get", notes: ["Plan", { title: "Plan" }], only: ["steps", "none"] })).toBe(
      '{"title":"Plan","fields":{"steps":["Build","test"]}}',
    );
  });

  it("bounds what it shows, and says what is missing", async () => {
    const notes = Array.from({ length: 20 }, (_, index) => ({
      title: `n${index}`,
      fields: { x: "y".repeat(4000) },
    }));
    const { note } = notebook({ notes });
    const shown = await note({ action: "get", notes: notes.map(({ title }) => title) });
    expect(shown.length).toBeLessThan(51_000);
    expect(shown).toMatch(/\n\[8 more do not fit here; ask for fewer, or with only for some fields\.\]$/);
  });

  it.each([
    { why: "a word of a title", input: { pattern: "plan" }, found: ["Plan"] },
    {
      why: "a value, whatever its case",
      input: { pattern: "^(open|half done)$" },
      found: ["Bug (1)", "Plan"],
    },
    { why: "a list", input: { pattern: '"build"' }, found: ["Plan"] },
    { why: "one field", input: { pattern: "a", field: "file" }, found: ["Bug (1)"] },
    { why: "the title as a field", input: { pattern: "\\(1\\)", field: "title" }, found: ["Bug (1)"] },
  ])("finds $why", async ({ input, found }) => {
    const { note } = await filled();
    const lines = (await note({ action: "search", ...input, only: ["x"] })).split("\n");
    expect(lines).toEqual(found.map((title) => `{"title":"${title}","fields":{}}`));
  });

  it("says when nothing is found, and how many were", async () => {
    const { note } = await filled();
    expect(await note({ action: "search", pattern: "nowhere" })).toBe("[None of 2 notes matches.]");
    expect(await note({ action: "search", pattern: ".", max: 1 })).toContain("[1 of 2 matches. Ask with");
  });

  it("ends a pattern that runs away, by the clock of read", async () => {
    const { note } = notebook({ notes: [{ title: "a".repeat(40), fields: {} }] });
    const settings = { read: { regexMs: 50 } };
    expect(await failureOf(note({ action: "search", pattern: "(a+)+$x" }, { settings }))).toBe(
      "timeout: The pattern took longer than 50 ms (setting read.regexMs). Use a simpler one.",
    );
    const signal = AbortSignal.abort();
    expect(await failureOf(note({ action: "search", pattern: "a" }, { signal }))).toBe(
      "cancelled: The search was cancelled.",
    );
  });

  it("removes those that are named", async () => {
    const { note } = await filled();
    expect(await note({ action: "remove", notes: ["Plan"] })).toBe(
      'Removed "Plan". 1 of 100 notes are kept.',
    );
    expect(await note({ action: "list" })).toBe("Bug (1)");
  });

  it.each([
    {
      input: { action: "get", notes: ["Plam"] } as const,
      says: 'there is no note "Plam"; did you mean "Plan"?',
    },
    {
      input: { action: "remove", notes: ["Plan", "something else"] } as const,
      says: 'notes[1]: there is no note "something else"; {"action": "list"} names them.',
    },
    {
      input: { action: "get", notes: [{ title: "Plan", fields: { a: 1 } }] } as const,
      says: "notes[0].fields: does not go with get",
    },
    { input: { action: "search", pattern: "(" } as const, says: "pattern does not compile:" },
    { input: { action: "search" } as const, says: "pattern: search needs it" },
    { input: { action: "list", max: 51 } as const, says: "max: wanted 1 to 50, came 51" },
    {
      input: { action: "list", notes: ["a"] } as const,
      says: "notes: does not go with list, which takes only, max",
    },
  ])("refuses $input", async ({ input, says }) => {
    const { fails, added } = await filled();
    expect(await fails(input)).toMatch(/^usage: /);
    expect(await fails(input)).toContain(says);
    expect(added).toHaveLength(2);
  });
});

describe("notes", () => {
  it("are refused where there is no conversation", async () => {
    expect(await failureOf(tool.note({ action: "list" }, toolContext(project())))).toBe(
      "refused: There is no conversation here that could keep notes.",
    );
  });

  it.each([
    { why: "nothing", latest: null },
    { why: "another shape", latest: { notes: "x" } },
    {
      why: "members that are no notes",
      latest: { notes: [1, null, { title: 2 }, { title: "x", fields: [] }] },
    },
  ])("begin anew over a record that holds $why", async ({ latest }) => {
    const { note } = notebook(latest);
    expect(await note({ action: "list" })).toBe("[No notes.]");
    expect(await note(set("a"))).toContain("1 of 100");
  });
});
