import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  Context,
  type ContextItem,
  type JournalEvent,
  messageAssistant,
  messageSystem,
  messageUser,
  type SessionEntry,
} from "@ashlar/context";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, keep, type Place } from "../sessions/fixture.js";

/** One thing that a host may do to a conversation. */
type Step =
  | { readonly do: "user" | "assistant" | "system" | "rename" | "custom" | "lane"; readonly text: string }
  | { readonly do: "label" | "edit" | "rollback" | "prepend"; readonly text: string; readonly at: number }
  | { readonly do: "undo" | "redo" | "seal" | "compact" | "journal" };

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
const at = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("user", "assistant", "system", "rename", "custom", "lane"), text }),
  fc.record({ do: fc.constantFrom("label", "edit", "rollback", "prepend"), text, at }),
  fc.record({ do: fc.constantFrom("undo", "redo", "seal", "compact", "journal") }),
);

const said = (words: string): ContextItem => messageUser(`said ${words}`);

function apply(context: Context, action: Step): void {
  const position = "at" in action && context.length > 0 ? action.at % context.length : undefined;
  switch (action.do) {
    case "user":
      context.append(said(action.text));
      return;
    case "assistant":
      context.append(messageAssistant([{ type: "text", text: `answer ${action.text}` }]));
      return;
    case "system":
      context.append(messageSystem(`rule ${action.text}`));
      return;
    case "rename":
      context.rename(action.text);
      return;
    case "custom":
      context.addCustom("note", { [action.text]: [1, null, action.text] });
      return;
    case "lane":
      context.moveLane(`lane ${action.text}`, context.leaf);
      return;
    case "prepend":
      context.prepend(said(action.text));
      return;
    case "label":
      if (position !== undefined) context.label(position, action.text);
      return;
    case "edit":
      if (position !== undefined) context.edit(position, said(action.text));
      return;
    case "rollback":
      if (position !== undefined) context.rollback(position);
      return;
    case "undo":
      context.undo();
      return;
    case "redo":
      context.redo();
      return;
    case "seal":
      context.seal();
      return;
    case "compact":
      if (context.length > 0) context.compact({ firstKept: context.length, summary: messageUser("sum") });
      return;
    case "journal": {
      const { open } = context.journalState;
      const event: JournalEvent =
        open === undefined
          ? { type: "operation_started", operation: randomUUID(), purpose: "run" }
          : { type: "operation_finished", operation: open.id, outcome: "completed" };
      context.journal(event);
    }
  }
}

async function entriesOf(place: Place, id: string): Promise<readonly SessionEntry[]> {
  const store = await place.repository.open(id, { readonly: true });
  try {
    return await store.load();
  } finally {
    await store.close();
  }
}

async function stateOf(place: Place, id: string): Promise<object> {
  const store = await place.repository.open(id, { readonly: true });
  try {
    const context = await Context.open({ store, whole: true });
    const { name, labels, lanes, leaf, stats, journalState } = context;
    const shown = { items: context.items(), branch: context.entries() };
    return { name, labels: [...labels], lanes: [...lanes], leaf, stats, journalState, ...shown };
  } finally {
    await store.close();
  }
}

describe.each([
  ["jsonl", "sqlite"],
  ["sqlite", "jsonl"],
] as const)("a session exported from %s and imported into %s", (from, to) => {
  let source: Place;
  let target: Place;
  beforeEach(async () => {
    source = await createPlace(from);
    target = await createPlace(to);
  });
  afterEach(() => Promise.all([source.remove(), target.remove()]));

  it("is the same: entries, items, labels, names, lanes, branches, journal, times", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        count += 1;
        const store = await source.repository.create({
          id: `s${count}`,
          cwd: source.project,
          created: 1_700_000_000_000 + count,
          parent: { session: "an-older-one" },
          settings: { model: "test/echo", tools: ["read"] },
        });
        const context = await Context.open({ store, whole: true });
        for (const action of steps) apply(context, action);
        await context.close();
        const file = join(source.project, `s${count}.json`);
        expect(await source.run(["sessions", "export", `s${count}`, "-o", file])).toMatchObject({
          code: 0,
          stdout: "",
        });
        expect(await target.run(["sessions", "import", file])).toMatchObject({
          code: 0,
          stdout: `s${count}\n`,
        });
        expect(await entriesOf(target, `s${count}`)).toEqual(await entriesOf(source, `s${count}`));
        expect(await stateOf(target, `s${count}`)).toEqual(await stateOf(source, `s${count}`));
        expect(await target.repository.find(`s${count}`)).toEqual(await source.repository.find(`s${count}`));
      }),
      { numRuns: 25 },
    );
  });

  it("is exported to the same text again", async () => {
    const id = await keep(source, { name: "once" });
    const { stdout } = await source.run(["sessions", "export", id, "--json"]);
    await target.run(["sessions", "import", "-"], { input: stdout });
    expect((await target.run(["sessions", "export", id, "--json"])).stdout).toBe(stdout);
  });
});

describe("ashlar sessions import", () => {
  let place: Place;
  let id: string;
  let exported: string;
  beforeEach(async () => {
    place = await createPlace();
    id = await keep(place, { name: "bridge" });
    exported = (await place.run(["sessions", "export", id, "--json"])).stdout;
  });
  afterEach(() => place.remove());

  const importText = async (input: string, ...args: string[]) =>
    place.run(["sessions", "import", "-", ...args], { input });
  const ids = async () => (await place.repository.list()).map((info) => info.id);

  it("refuses an id that is there, and takes another one or a new one", async () => {
    const refused = await importText(exported);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/already.*--id.*--force-new/);
    expect(await ids()).toEqual([id]);
    expect((await importText(exported, "--id", "copy")).stdout).toBe("copy\n");
    const fresh = (await importText(exported, "--force-new")).stdout.trim();
    expect(await ids()).toHaveLength(3);
    expect((await place.repository.find(fresh)).name).toBe("bridge");
  });

  it("says whose a session is, and makes it this project's when asked", async () => {
    const other = join(place.project, "..");
    const elsewhere = await place.run(["sessions", "import", "-", "--id", "a"], {
      input: exported,
      cwd: other,
    });
    expect(elsewhere.stderr).toContain("--here");
    const here = await place.run(["sessions", "import", "-", "--id", "b", "--here"], {
      input: exported,
      cwd: other,
    });
    expect(here.stderr).not.toContain("--here");
    expect((await place.repository.find("b")).cwd).not.toBe(place.project);
  });

  const changed = (
    change: (file: Record<string, unknown> & { entries: Record<string, unknown>[] }) => void,
  ): string => {
    const file = JSON.parse(exported);
    change(file);
    return JSON.stringify(file);
  };

  it.each([
    { why: "an empty file", input: () => "", says: /stdin: it is no JSON document, or it is torn/ },
    {
      why: "a torn file",
      input: () => exported.slice(0, -40),
      says: /stdin: it is no JSON document, or it is torn/,
    },
    { why: "another kind of JSON", input: () => '{"messages":[]}', says: /stdin: this is no session that/ },
    { why: "a list", input: () => "[1]", says: /stdin: this is no session that/ },
    {
      why: "a newer version",
      input: () => changed((file) => Object.assign(file, { version: 2 })),
      says: /version: a newer Ashlar wrote this/,
    },
    {
      why: "an entry that was cut out",
      input: () => changed(({ entries }) => entries.pop()),
      says: /stdin: entries: there are 2 entries and "count" says 3/,
    },
    {
      why: "an entry of an unknown kind",
      input: () => changed(({ entries }) => Object.assign(entries[1] ?? {}, { kind: "surprise" })),
      says: /stdin: entries\[1\]: .*surprise/,
    },
    {
      why: "a message without content",
      input: () => changed(({ entries }) => Object.assign(entries[1] ?? {}, { message: { type: 2 } })),
      says: /stdin: entries\[1\]: .*message/,
    },
    {
      why: "a parent that is not there",
      input: () => changed(({ entries }) => Object.assign(entries[2] ?? {}, { parent: "nobody" })),
      says: /stdin: entries\[2\]: the entry it grew from is lost/,
    },
    {
      why: "the same entry twice",
      input: () => changed(({ entries }) => Object.assign(entries[2] ?? {}, { id: entries[1]?.id })),
      says: /stdin: entries\[2\]: .*a second time/,
    },
    {
      why: "numbers that jump",
      input: () => changed(({ entries }) => Object.assign(entries[2] ?? {}, { seq: 9 })),
      says: /stdin: entries\[2\]: .*missing/,
    },
    {
      why: "an id that is a path",
      input: () => changed((file) => Object.assign(file, { session: { id: "../x", created: 1 } })),
      says: /stdin: session\.id: .*no session id/,
    },
  ])("refuses $why with exit code 5, names the place and writes nothing", async ({ input, says }) => {
    const { code, stdout, stderr } = await importText(input(), "--id", "new-one");
    expect(stderr).toMatch(says);
    expect(code).toBe(5);
    expect(stdout).toBe("");
    expect(await ids()).toEqual([id]);
  });

  it("says what file is missing or is no text", async () => {
    expect((await place.run(["sessions", "import", "nothere.json"])).stderr).toMatch(
      /nothere\.json.*no such file/i,
    );
    await writeFile(join(place.project, "bytes.json"), Buffer.from([0xff, 0xfe, 0x00]));
    const bytes = await place.run(["sessions", "import", "bytes.json"]);
    expect(bytes.code).toBe(5);
    expect(bytes.stderr).toContain("bytes.json: it is no UTF-8 text");
  });

  it("exports a damaged session whole again, and says what was wrong with it", async () => {
    const file = join(place.sessions, `${id}.jsonl`);
    await writeFile(file, (await readFile(file, "utf8")).replace(/^.*"hello bridge".*$/m, "{torn"));
    const out = (await place.run(["sessions", "export", id, "--json"])).stdout;
    expect(JSON.parse(out).damage[0].message).toContain(`${file}:`);
    expect((await importText(out, "--id", "mended")).code).toBe(0);
    expect((await place.run(["sessions", "show", "mended"])).stdout).toContain("hello mason");
  });
});

describe("ashlar sessions export", () => {
  let place: Place;
  let id: string;
  beforeEach(async () => {
    place = await createPlace();
    id = await keep(place, { name: "bridge" });
  });
  afterEach(() => place.remove());

  it("takes the format of the file's name, and Markdown without one", async () => {
    await place.run(["sessions", "export", id, "-o", "a.html"]);
    expect(await readFile(join(place.project, "a.html"), "utf8")).toMatch(/^<!doctype html>/);
    await place.run(["sessions", "export", id, "-o", "a.json"]);
    expect(JSON.parse(await readFile(join(place.project, "a.json"), "utf8"))).toMatchObject({
      format: "ashlar-session",
    });
    expect((await place.run(["sessions", "export", id])).stdout).toMatch(/^# bridge\n/);
  });

  it("replaces no file unless it is told to, and leaves none behind", async () => {
    const file = join(place.project, "a.md");
    await writeFile(file, "mine");
    const refused = await place.run(["sessions", "export", id, "-o", "a.md"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--force");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect((await place.run(["sessions", "export", id, "-o", "a.md", "--force"])).code).toBe(0);
    expect(await readFile(file, "utf8")).toContain("hello bridge");
    const nowhere = await place.run(["sessions", "export", id, "-o", "no/such/folder.md"]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain("no/such/folder.md");
    const inFile = await place.run(["sessions", "export", id, "-o", "a.md/x.md"]);
    expect(inFile.code).toBe(1);
    expect(inFile.stderr).toMatch(/a\.md\/x\.md: it cannot be written \(ENOTDIR/);
    expect(await readdir(place.project)).toEqual(["a.md"]);
  });
});
