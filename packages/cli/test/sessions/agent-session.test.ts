import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageUser } from "@ashlar/context";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, type Finished, keep, type Place } from "./fixture.js";

const MODEL = ["--model", "test/echo"];

let place: Place;
beforeEach(async () => {
  place = await createPlace();
});
afterEach(() => place.remove());

const agent = (...args: string[]): Promise<Finished> => place.run(["agent", ...MODEL, ...args]);
const sessionOf = ({ stderr }: Finished): string => /ashlar: session (\S+)/.exec(stderr)?.[1] ?? "";
const textsOf = async (id: string): Promise<string> => (await place.run(["sessions", "show", id])).stdout;
const kept = async (): Promise<readonly string[]> => (await place.repository.list()).map(({ id }) => id);

describe("ashlar agent and its session", () => {
  it("keeps what was said, says where, and goes on with it", async () => {
    const first = await agent("the first words");
    expect(first.code).toBe(0);
    const id = sessionOf(first);
    expect(await kept()).toEqual([id]);
    const second = await agent("--resume", "latest", "the second words");
    expect(second.code).toBe(0);
    expect(sessionOf(second)).toBe(id);
    const shown = await textsOf(id);
    expect(shown).toContain("the first words");
    expect(shown).toContain("the second words");
    expect(shown).toContain("test/echo");
    expect(shown).toMatch(/2 requests, [1-9]\d* tokens in/);
    expect(await kept()).toEqual([id]);
  });

  it("goes on with the model that the session had", async () => {
    const id = sessionOf(await agent("hello"));
    const { code } = await place.run(["agent", "--resume", id.slice(0, 34), "again"]);
    expect(code).toBe(0);
  });

  it.each([
    ["--no-session"],
    ["--session", "false"],
    ["--session", "0"],
    ["--session", "anon"],
    ["--set", "sessions.save=false"],
  ])("keeps nothing with %s %s", async (...flags) => {
    const finished = await agent(...flags, "hello");
    expect(finished.code).toBe(0);
    expect(sessionOf(finished)).toBe("");
    expect(await kept()).toEqual([]);
  });

  it.each(["notes", "notes for the bridge"])("begins and goes on with the session %s", async (name) => {
    const first = sessionOf(await agent("--session", name, "one"));
    const second = sessionOf(await agent("--session", name, "two"));
    expect(second).toBe(first);
    expect(await textsOf(first)).toMatch(/one[\s\S]*two/);
  });

  it("takes a name that several sessions have for none of them", async () => {
    await keep(place, { name: "twice" });
    await keep(place, { name: "twice" });
    const { code, stderr } = await agent("--session", "twice", "hello");
    expect(code).toBe(1);
    expect(stderr).toMatch(/several sessions have this name/);
  });

  it.each([
    {
      why: "two ways to choose a session",
      flags: ["--resume", "a", "--session", "b"],
      says: /exclude each other/,
    },
    { why: "a session and none", flags: ["--resume", "a", "--no-session"], says: /--no-session exclude/ },
    { why: "a prompt in the place of an id", flags: ["--resume", "what is this?"], says: /--resume latest/ },
    { why: "a session that is not there", flags: ["--resume", "nothere"], says: /no session "nothere"/ },
    { why: "no latest session", flags: ["--resume"], says: /no session/ },
    { why: "an empty variable as an id", flags: ["--resume", ""], says: /^ashlar: --resume: it is blank/ },
    {
      why: "an empty variable as a name",
      flags: ["--session", " "],
      says: /^ashlar: --session: it is blank/,
    },
    {
      why: "a misspelt tool",
      flags: ["--tools", "read,raed"],
      says: /--tools: there is no tool "raed"; there are .*read/,
    },
    { why: "a session by a word that moves", flags: ["--session", "latest"], says: /--resume latest/ },
  ])("refuses $why before anything is sent", async ({ flags, says }) => {
    // A value of its own, so that a flag whose value may be left out does not take the prompt.
    const { code, stdout, stderr } = await place.run(["agent", "hello", ...MODEL, ...flags]);
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(stdout).toBe("");
    expect(await kept()).toEqual([]);
  });

  it("refuses the session of another project and says what to do", async () => {
    const id = await keep(place, { cwd: "/somewhere/else" });
    const { code, stderr } = await agent("--resume", id, "hello");
    expect(code).toBe(1);
    expect(stderr).toMatch(/\/somewhere\/else.*fork/);
  });

  it("refuses a session that somebody works on, with the pid", async () => {
    const id = await keep(place, { items: [messageUser("hello")] });
    const writer = await place.repository.open(id);
    const { code, stderr } = await agent("--resume", id, "hello");
    await writer.close();
    expect(code).toBe(1);
    expect(stderr).toContain(String(process.pid));
  });

  it("takes only user messages where the conversation goes on", async () => {
    const id = await keep(place);
    const input = JSON.stringify([{ type: 3, content: [{ type: "text", text: "mine" }] }]);
    const { code, stderr } = await place.run(["agent", ...MODEL, "--resume", id], { input });
    expect(code).toBe(1);
    expect(stderr).toMatch(/user messages only/);
  });

  it("works on where nothing can be kept, unless it was asked to keep it", async () => {
    await mkdir(dirname(place.sessions), { recursive: true });
    await writeFile(place.sessions, "a file where the folder belongs");
    const usual = await agent("hello");
    expect(usual.code).toBe(0);
    expect(usual.stderr).toMatch(/this conversation is not kept: .*sessions/);
    const asked = await agent("--session", "notes", "hello");
    expect(asked.code).toBe(1);
    expect(asked.stdout).toBe("");
    expect(asked.stderr).toContain(place.sessions);
  });
});

describe("ashlar agent with the setting sessions.store", () => {
  it("keeps sessions in SQLite, where every command finds them", async () => {
    const other = await createPlace("sqlite");
    try {
      const id = sessionOf(await other.run(["agent", ...MODEL, "words for the database"]));
      expect(existsSync(join(other.sessions, "sessions.db"))).toBe(true);
      expect((await other.run(["sessions", "search", "database"])).stdout).toContain(id);
      expect(sessionOf(await other.run(["agent", ...MODEL, "--resume", "latest", "more"]))).toBe(id);
    } finally {
      await other.remove();
    }
  });
});
