import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UndoJournal } from "@ashlar/agent";
import { describe, expect, it, onTestFinished } from "vitest";

async function openJournal() {
  const base = await realpath(await mkdtemp(join(tmpdir(), "ashlar-undo-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [project, state, outside] = [join(base, "project"), join(base, "state"), join(base, "outside")];
  for (const folder of [project, outside]) await mkdir(folder);
  const journal = new UndoJournal({ project, state });
  let calls = 0;
  /** A call of a tool that writes. */
  const write = async (path: string, text: string | null, tool = "write"): Promise<string> => {
    calls += 1;
    const callId = `c${calls}`;
    const open = await journal.open({ callId, tool, folder: project, paths: [path] });
    if (text === null) await rm(join(project, path));
    else {
      await mkdir(join(project, path, ".."), { recursive: true });
      await writeFile(join(project, path), text);
    }
    await open.settle();
    return callId;
  };
  const text = (path: string): Promise<string> => readFile(join(project, path), "utf8");
  return { base, project, state, outside, journal, write, text };
}

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no failure",
    (error: { kind?: string; message: string }) => `${error.kind}: ${error.message}`,
  );

describe("undo", () => {
  it("puts bytes and permissions back, one call at a time, the last one first", async () => {
    const { project, journal, write, text } = await openJournal();
    await writeFile(join(project, "a"), "one");
    await chmod(join(project, "a"), 0o750);
    await write("a", "two");
    await write("a", "three");
    expect(await journal.undo()).toMatchObject({
      callId: "c2",
      restored: [join(project, "a")],
      removed: [],
      notes: [],
    });
    expect(await text("a")).toBe("two");
    await journal.undo();
    expect(await text("a")).toBe("one");
    expect((await stat(join(project, "a"))).mode & 0o777).toBe(0o750);
    expect(await messageOf(journal.undo())).toBe("undo: There is nothing to undo.");
  });

  it("removes what the call created, with the folders it made, and brings back what it deleted", async () => {
    const { project, journal, write, text } = await openJournal();
    await write("new/deep/er/a", "x");
    expect(await journal.undo()).toMatchObject({ removed: [join(project, "new/deep/er/a")] });
    expect(await readdir(project)).toEqual([]);
    await writeFile(join(project, "b"), "kept");
    await write("b", null, "remove");
    await journal.undo();
    expect(await text("b")).toBe("kept");
  });

  it("keeps a folder in which something else lies by now", async () => {
    const { project, journal, write } = await openJournal();
    await write("new/a", "x");
    await writeFile(join(project, "new/theirs"), "y");
    await journal.undo();
    expect(await readdir(join(project, "new"))).toEqual(["theirs"]);
  });

  it("takes the id of a call or of a change, whatever came later elsewhere", async () => {
    const { journal, write, text } = await openJournal();
    await write("a", "1");
    await write("b", "2");
    const [first] = await journal.list();
    const result = await journal.undo(first?.id);
    expect(result.notes).toEqual([
      expect.stringMatching(/^write of .*b \(call c2\) came later and stays\.$/),
    ]);
    expect(await text("b")).toBe("2");
    await journal.undo("c2");
    expect(await messageOf(journal.undo("c2"))).toMatch(/^undo: .*is undone already/);
    expect(await messageOf(journal.undo("c9"))).toBe('undo: There is no change and no call "c9" on record.');
  });

  it("undoes all files of a call or none", async () => {
    const { project, journal, text } = await openJournal();
    for (const name of ["a", "b"]) await writeFile(join(project, name), "before");
    const open = await journal.open({
      callId: "c1",
      tool: "rename",
      folder: project,
      paths: ["a", "b", "a"],
    });
    for (const name of ["a", "b"]) await writeFile(join(project, name), "after");
    expect(await open.settle()).toHaveLength(2);
    await writeFile(join(project, "b"), "by hand");
    expect(await messageOf(journal.undo())).toMatch(
      /^undo: Nothing was undone: .*\/b is not what rename \(call c1\) left/,
    );
    expect(await text("a")).toBe("after");
    await writeFile(join(project, "b"), "after");
    await journal.undo();
    expect([await text("a"), await text("b")]).toEqual(["before", "before"]);
  });

  it("says that bash cannot be undone, and passes over it", async () => {
    const { project, journal, write, text } = await openJournal();
    await write("a", "x");
    await (await journal.open({ callId: "b1", tool: "bash", folder: project, paths: undefined })).settle();
    expect(await messageOf(journal.undo("b1"))).toBe(
      "undo: bash (call b1) cannot be undone: what bash changes is not recorded.",
    );
    expect((await journal.undo()).notes).toEqual([
      "bash (call b1) came later and stays, because what it changed is not recorded.",
    ]);
    expect(await messageOf(text("a"))).toContain("ENOENT");
    expect(await messageOf(journal.undo())).toContain("bash (call b1) cannot be undone");
  });

  it("records nothing for a call that changed nothing", async () => {
    const { journal, write } = await openJournal();
    await write("a", "same");
    await write("a", "same");
    expect((await journal.list()).map(({ callId }) => callId)).toEqual(["c1"]);
  });

  it.each([
    {
      why: "it was changed by hand",
      change: (path: string) => writeFile(path, "by hand"),
      says: /It was changed afterwards and has 7 bytes now\.$/,
    },
    { why: "it is gone", change: (path: string) => rm(path), says: /It is gone\.$/ },
    {
      why: "it is a folder",
      change: async (path: string) => {
        await rm(path);
        await mkdir(path);
      },
      says: /It is a folder now\.$/,
    },
  ])("changes nothing when a file is not what the call left: $why", async ({ change, says }) => {
    const { project, journal, write } = await openJournal();
    await write("a", "ours");
    await change(join(project, "a"));
    expect(await messageOf(journal.undo())).toMatch(says);
  });

  it("does not write through a link that somebody put in the way", async () => {
    const { project, outside, journal, write } = await openJournal();
    await write("d/a", "ours");
    await writeFile(join(outside, "a"), "ours");
    await rename(join(project, "d"), join(project, "moved"));
    await symlink(outside, join(project, "d"));
    expect(await messageOf(journal.undo())).toMatch(/It is below a link now\.$/);
    expect(await readFile(join(outside, "a"), "utf8")).toBe("ours");
  });
});

describe("the record of a call", () => {
  it("keeps nothing from outside the project, and nothing but regular files", async () => {
    const { project, outside, state, journal } = await openJournal();
    await writeFile(join(outside, "secret"), "secret");
    await symlink(join(outside, "secret"), join(project, "link"));
    const paths = [join(outside, "secret"), "../outside/secret", "link", "."];
    await journal.open({ callId: "c1", tool: "write", folder: project, paths });
    expect(await journal.list()).toEqual([]);
    expect(await readdir(state).catch(() => [])).toEqual([]);
  });

  it("says of what is too large that it cannot be undone", async () => {
    const { project, journal, write } = await openJournal();
    await writeFile(join(project, "large"), Buffer.alloc(17 * 1024 * 1024));
    await write("large", "small");
    expect((await journal.list())[0]?.lost).toMatch(/^it has 17825792 bytes, and at most/);
  });

  it("says of a call that never ended that what it left is not known", async () => {
    const { project, journal } = await openJournal();
    await journal.open({ callId: "c1", tool: "write", folder: project, paths: ["a"] });
    expect(await messageOf(journal.undo("c1"))).toContain("did not end");
  });

  it("gives a tool the bytes before, by change and by call", async () => {
    const { project, journal, write } = await openJournal();
    await writeFile(join(project, "a"), "before");
    const callId = await write("a", "after", "edit");
    const found = await journal.find(callId);
    expect(Buffer.from(found?.before ?? []).toString()).toBe("before");
    expect(found).toMatchObject({ path: join(project, "a"), after: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await journal.find(found?.id ?? "")).toEqual(found);
    expect(await journal.find("nothing")).toBeUndefined();
  });

  it("goes after thirty days, with its bytes; only its owner can read it meanwhile", async () => {
    const { project, state, journal, write } = await openJournal();
    await writeFile(join(project, "a"), "old");
    await write("a", "new");
    const [name = ""] = await readdir(join(state, "undo"));
    const folder = join(state, "undo", name);
    const [record = ""] = await readdir(join(folder, "records"));
    const [bytes = ""] = await readdir(join(folder, "bytes"));
    expect((await stat(join(folder, "bytes", bytes))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const stored = JSON.parse(await readFile(join(folder, "records", record), "utf8"));
    const longAgo = Date.now() - 31 * 24 * 3_600_000;
    await writeFile(join(folder, "records", record), JSON.stringify({ ...stored, at: longAgo }));
    await utimes(join(folder, "bytes", bytes), longAgo / 1000, longAgo / 1000);
    await writeFile(join(folder, "records/damaged.json"), '{"half":');
    const later = new UndoJournal({ project, state });
    await (await later.open({ callId: "c9", tool: "write", folder: project, paths: [] })).settle();
    expect(await later.list()).toEqual([]);
    expect(await readdir(join(folder, "bytes"))).toEqual([]);
    expect(await messageOf(journal.undo())).toBe("undo: There is nothing to undo.");
  });
});
