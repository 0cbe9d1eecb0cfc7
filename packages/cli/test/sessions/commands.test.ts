import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Context, messageAssistant, messageToolResult, messageUser } from "@ashlar/context";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, keep, type Place } from "./fixture.js";

describe.each(["jsonl", "sqlite"] as const)("ashlar sessions on %s", (store) => {
  let place: Place;
  beforeEach(async () => {
    place = await createPlace(store);
  });
  afterEach(() => place.remove());

  it("lists this project's sessions, newest first, and those of all projects only when asked", async () => {
    const first = await keep(place, { name: "the first" });
    const second = await keep(place);
    const other = await keep(place, { cwd: "/somewhere/else" });
    const { code, stdout } = await place.run(["sessions", "list"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.slice(0, 36))).toEqual([second, first]);
    expect(lines[0]).toContain("hello bridge");
    expect(lines[1]).toContain("the first");
    const all = await place.run(["sessions", "list", "--all"]);
    expect(all.stdout).toContain(other);
    expect(all.stdout).toContain("/somewhere/else");
  });

  it("lists as JSON lines and no more than asked for", async () => {
    await keep(place);
    const newest = await keep(place);
    const { stdout, stderr } = await place.run(["sessions", "list", "--json", "--limit", "1"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ id: newest, cwd: place.project, preview: "hello bridge" }]);
    expect(stderr).toContain("--limit");
  });

  it("shows a conversation with its calls, results and numbers", async () => {
    const id = await keep(place, {
      items: [
        messageUser("what is in a?"),
        messageAssistant([
          { type: "thinking", text: "look" },
          { type: "toolCall", callId: "k1", name: "read", arguments: { path: "a" } },
        ]),
        messageToolResult({ callId: "k1", name: "read", content: Array(50).fill("line").join("\n") }),
        messageAssistant("fifty lines"),
      ],
    });
    const { code, stdout } = await place.run(["sessions", "show", id.slice(0, 34)]);
    expect(code).toBe(0);
    expect(stdout).toContain("4 messages");
    expect(stdout).toContain("what is in a?");
    expect(stdout).toContain("(thinking) look");
    expect(stdout).toMatch(/> read \{\s+"path": "a"/);
    expect(stdout).toContain("result of read");
    expect(stdout).toContain("--full");
    expect((await place.run(["sessions", "show", id, "--full"])).stdout).not.toContain("--full");
    const last = (await place.run(["sessions", "show", id, "--limit", "1"])).stdout;
    expect(last).toContain("fifty lines");
    expect(last).not.toContain("what is in a?");
  });

  it("shows what a compaction hides from the model, with the summary where it was made", async () => {
    const id = await keep(place, {
      items: [messageUser("old words"), messageAssistant("old answer"), messageUser("new words")],
    });
    const stored = await place.repository.open(id);
    const context = await Context.open({ store: stored });
    context.compact({ firstKept: 2, summary: messageUser("the sum") });
    context.append(messageAssistant("new answer"));
    await context.close();
    const { stdout } = await place.run(["sessions", "show", "latest"]);
    const order = ["old words", "new words", "summary of what came before", "the sum", "new answer"];
    expect(order.map((text) => stdout.indexOf(text))).toEqual(
      order.map((text) => stdout.indexOf(text)).toSorted((a, b) => a - b),
    );
    for (const text of order) expect(stdout).toContain(text);
  });

  it("prints forks under what they came from, and children as such", async () => {
    const parent = await keep(place, { name: "parent" });
    const fork = (await place.run(["sessions", "fork", parent, "--name", "the fork"])).stdout.trim();
    const child = await place.repository.create({
      cwd: place.project,
      parent: { session: fork },
      settings: { child: true },
    });
    await child.close();
    const { stdout } = await place.run(["sessions", "tree"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(new RegExp(`^${parent}`));
    expect(lines[1]).toMatch(new RegExp(`^  ${fork}.*the fork.*fork of ${parent}`));
    expect(lines[2]).toMatch(new RegExp(`^    ${child.info.id}.*child of ${fork}`));
  });

  it("neither lists a child nor takes it for the latest session, unless it is asked for", async () => {
    const own = await keep(place);
    const child = await place.repository.create({
      cwd: place.project,
      parent: { session: own },
      settings: { child: true },
    });
    await child.close();
    expect((await place.run(["sessions", "list"])).stdout).toMatch(new RegExp(`^${own}.*\n$`));
    expect((await place.run(["sessions", "list", "--children"])).stdout).toContain(child.info.id);
    expect((await place.run(["sessions", "show", "latest", "--json"])).stdout).toContain(own);
  });

  it("prints the branches of one session with its lanes and labels", async () => {
    const id = await keep(place, { items: [messageUser("root words"), messageAssistant("first try")] });
    const context = await Context.open({ store: await place.repository.open(id), whole: true });
    context.label(0, "where it began");
    context.rollback(1);
    context.append(messageAssistant("second try"));
    context.moveLane("review", context.leaf);
    await context.close();
    const { stdout } = await place.run(["sessions", "tree", id]);
    expect(stdout).toMatch(/lane main, review: 2 entries.*root words/);
    expect(stdout).toMatch(/label where it began, at \S+ {2}root words/);
    expect(stdout).toMatch(/ {4}left behind: 1 entry, from \S+, to \S+ {2}first try/);
  });

  it("gives the trees as JSON lines, each with how deep it stands", async () => {
    const id = await keep(place, { items: [messageUser("root words")] });
    const fork = await place.repository.fork(id, { cwd: place.project });
    const context = await Context.open({ store: await place.repository.open(id), whole: true });
    context.label(0, "where it began");
    context.append(messageAssistant("first try"));
    context.rollback(1);
    await context.close();
    const lines = async (...args: string[]): Promise<readonly unknown[]> => {
      const { code, stdout } = await place.run(["sessions", "tree", ...args, "--json"]);
      expect(code).toBe(0);
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    expect(await lines()).toMatchObject([
      { id, depth: 0 },
      { id: fork.id, depth: 1, parent: { session: id } },
    ]);
    const first = (await context.entries())[0]?.id;
    expect(await lines(id)).toMatchObject([
      { type: "session", id },
      {
        type: "branch",
        depth: 0,
        lanes: ["main"],
        from: null,
        first,
        last: first,
        entries: 1,
        labels: [{ entry: first, text: "where it began" }],
      },
      { type: "branch", depth: 1, lanes: [], from: first, entries: 1, labels: [] },
    ]);
  });

  it("says of a tree that nothing is kept, and that there may be more", async () => {
    const none = await place.run(["sessions", "tree"]);
    expect(none).toMatchObject({ code: 0, stdout: "" });
    expect(none.stderr).toContain("no session yet");
    await keep(place);
    expect((await place.run(["sessions", "tree", "--limit", "1"])).stderr).toContain("--limit");
  });

  it("exports to standard output by the name -, and takes no id that stands for another", async () => {
    await keep(place);
    const { code, stdout } = await place.run(["sessions", "export", "latest", "--json", "-o", "-"]);
    expect(code).toBe(0);
    await writeFile(join(place.project, "kept.json"), stdout);
    const taken = await place.run(["sessions", "import", "kept.json", "--id", "latest"]);
    expect(taken).toMatchObject({ code: 1, stdout: "" });
    expect(taken.stderr).toMatch(/--id: "latest" stands for/);
    expect((await place.run(["sessions", "import", "kept.json", "--force-new"])).code).toBe(0);
  });

  it.each([
    { why: "a word of two letters", said: "is it ok to go there", words: ["ok"] },
    { why: "a phrase of Chinese characters", said: "她说：石桥已经建好了。", words: ["石桥已经"] },
    { why: "two words in another case", said: "The Keystone holds the ARCH", words: ["keystone", "arch"] },
  ])("finds $why", async ({ said, words }) => {
    const id = await keep(place, { items: [messageUser(said)] });
    await keep(place, { items: [messageUser("nothing of the kind")] });
    const { code, stdout } = await place.run(["sessions", "search", ...words]);
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => /^\S/.test(line))).toHaveLength(1);
    expect(stdout).toContain(id);
    const [hit] = (await place.run(["sessions", "search", "--json", ...words])).stdout.trimEnd().split("\n");
    expect(JSON.parse(hit ?? "")).toMatchObject({ session: id });
  });

  it("searches this project unless all are asked for, and says so when nothing was found", async () => {
    const id = await keep(place, { cwd: "/somewhere/else", items: [messageUser("granite")] });
    const here = await place.run(["sessions", "search", "granite"]);
    expect(here).toMatchObject({ code: 0, stdout: "" });
    expect(here.stderr).toContain("--all");
    expect((await place.run(["sessions", "search", "granite", "--all"])).stdout).toContain(id);
  });

  it("ends a search that is cancelled with 130", async () => {
    await keep(place);
    const cancel = new AbortController();
    cancel.abort(new Error("SIGINT"));
    const { code, stderr } = await place.run(["sessions", "search", "hello"], { signal: cancel.signal });
    expect(code).toBe(130);
    expect(stderr).not.toContain("internal");
  });

  it("renames, takes a name away, and deletes by a prefix", async () => {
    const id = await keep(place);
    expect((await place.run(["sessions", "rename", id, "stone", "bridge"])).code).toBe(0);
    expect((await place.repository.find(id)).name).toBe("stone bridge");
    await place.run(["sessions", "rename", "latest", "--none"]);
    expect((await place.repository.find(id)).name).toBeUndefined();
    const deleted = await place.run(["sessions", "delete", id.slice(0, 35)]);
    expect(deleted.code).toBe(0);
    expect(deleted.stdout).toMatch(new RegExp(`^deleted ${id}.*hello bridge`));
    await expect(place.repository.find(id)).rejects.toMatchObject({ kind: "missing" });
  });

  it.each([
    { why: "a session that is not there", args: ["show", "nothere"], says: /no session "nothere"/ },
    {
      why: "a number that is none",
      args: ["list", "--limit", "few"],
      says: /--limit: expected a whole number/,
    },
    { why: "no latest session", args: ["show", "latest"], says: /no session yet/ },
    {
      why: "a deletion by a word that moves",
      args: ["delete", "latest"],
      says: /name the session by its id/,
    },
    { why: "a misspelt command", args: ["serch", "x"], says: /unknown command 'serch'[\s\S]*search/ },
    { why: "two formats at once", args: ["export", "x", "--html", "--json"], says: /--html and --json/ },
    { why: "an export to nowhere", args: ["export", "x", "-o", ""], says: /--output: it is blank/ },
    { why: "a copy without a name", args: ["fork", "x", "--name", " "], says: /--name: it is blank/ },
    {
      why: "a copy that no command could be asked for",
      args: ["fork", "x", "--id", "latest"],
      says: /--id: "latest" stands for/,
    },
    { why: "a name and none", args: ["rename", "x", "y", "--none"], says: /--none/ },
  ])("refuses $why with exit code 1", async ({ args, says }) => {
    const { code, stdout, stderr } = await place.run(["sessions", ...args]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(says);
  });

  it("names the matches of a prefix that several sessions have", async () => {
    await keep(place, { id: "stone-1" });
    await keep(place, { id: "stone-2" });
    const { code, stderr } = await place.run(["sessions", "delete", "stone"]);
    expect(code).toBe(1);
    expect(stderr).toContain("stone-1, stone-2");
  });

  it("does not delete or rename what somebody writes to, and says who and since when", async () => {
    const id = await keep(place);
    const writer = await place.repository.open(id);
    for (const args of [
      ["delete", id],
      ["rename", id, "x"],
    ]) {
      const { code, stderr } = await place.run(["sessions", ...args]);
      expect(code).toBe(1);
      expect(stderr).toContain(String(process.pid));
      expect(stderr).toMatch(/since \d{4}-\d\d-\d\d/);
    }
    expect((await place.run(["sessions", "show", id])).code).toBe(0);
    await writer.close();
    expect((await place.repository.find(id)).id).toBe(id);
  });

  it("forks a session of another project into this one, up to an entry", async () => {
    const id = await keep(place, {
      cwd: "/somewhere/else",
      items: [messageUser("one"), messageAssistant("two")],
    });
    const source = await place.repository.open(id, { readonly: true });
    const entries = await source.load();
    await source.close();
    const { stdout } = await place.run([
      "sessions",
      "fork",
      id,
      "--entry",
      entries[1]?.id ?? "",
      "--before",
      "--id",
      "copy",
    ]);
    expect(stdout).toBe("copy\n");
    expect(await place.repository.find("copy")).toMatchObject({
      cwd: place.project,
      parent: { session: id },
    });
    const shown = (await place.run(["sessions", "show", "copy"])).stdout;
    expect(shown).toContain("one");
    expect(shown).not.toContain("two");
  });

  it("repairs and keeps the original", async () => {
    const id = await keep(place);
    await place.release();
    const { code, stdout } = await place.run(["sessions", "repair", ...(store === "jsonl" ? [id] : [])]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/nothing was wrong; written anew: .*2 entries/);
    expect(stdout).toMatch(/the original is kept as .*\.damaged/);
  });
});

describe("ashlar sessions on damaged files", () => {
  let place: Place;
  beforeEach(async () => {
    place = await createPlace();
  });
  afterEach(() => place.remove());

  it("reads what can be read and names file and line; a repair says what it passed over", async () => {
    const id = await keep(place, {
      items: [messageUser("before"), messageAssistant("lost"), messageUser("behind")],
    });
    const file = join(place.sessions, `${id}.jsonl`);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/^.*"lost".*$/m, '{"torn": "li'));
    const shown = await place.run(["sessions", "show", id]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("before");
    expect(shown.stdout).toContain("behind");
    expect(shown.stderr).toContain(`${file}:3`);
    const repaired = await place.run(["sessions", "repair", id]);
    expect(repaired.stdout).toContain(`${file}:3`);
    const after = await place.run(["sessions", "show", id]);
    expect(after.stdout).toContain("behind");
    expect(after.stderr).not.toContain("torn");
  });

  it("says what is wrong with a file of another kind, and deletes it by its id", async () => {
    await keep(place);
    await writeFile(join(place.sessions, "foreign.jsonl"), "not a session\n");
    const shown = await place.run(["sessions", "show", "foreign"]);
    expect(shown.code).toBe(1);
    expect(shown.stderr).toMatch(/foreign\.jsonl:1: this is no session/);
    expect((await place.run(["sessions", "delete", "foreign"])).stdout).toBe("deleted foreign\n");
  });

  it("reads a newer format and refuses to write to it", async () => {
    const id = await keep(place);
    const file = join(place.sessions, `${id}.jsonl`);
    await writeFile(file, (await readFile(file, "utf8")).replace('"version":2', '"version":9'));
    expect((await place.run(["sessions", "show", id])).code).toBe(0);
    const renamed = await place.run(["sessions", "rename", id, "x"]);
    expect(renamed.code).toBe(1);
    expect(renamed.stderr).toMatch(/format 9.*update Ashlar/);
  });
});
