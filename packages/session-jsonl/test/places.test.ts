import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Context, contentText, isMessage, messageAssistant, messageUser } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/fixture.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const canMount = isRoot && process.platform === "linux" && spawnSync("unshare", ["-m", "true"]).status === 0;

async function textsIn(id: string): Promise<readonly string[]> {
  const store = await createJsonlRepository({ folder }).open(id, { readonly: true });
  const context = await Context.open({ store });
  await store.close();
  return context.items().filter(isMessage).map(contentText);
}

/** Takes all room that is left. */
function fill(file: string): void {
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    try {
      appendFileSync(file, "x".repeat(size));
    } catch {
      // Smaller pieces may still fit.
    }
  }
}

describe("an older format", () => {
  const OLD = [
    '{"type":"session-metadata","version":1,"id":"old","uuid":"01234567-89ab","name":"night work","cwd":"/p","created":"2026-10-01T08:00:00.000Z","agent":{"model":"ollama/qwen"}}',
    '{"type":1,"content":[{"type":"text","text":"system"}]}',
    '{"type":2,"content":[{"type":"text","text":"one"}]}',
    '{"type":2,"content":[{"type":"text","text":"two"}]}',
    '{"type":"note","text":"a record"}',
    '{"type":3,"content":[{"type":"text","text":"answer"}],"provider":{"id":5}}',
    "",
  ].join("\n");

  it("is read as it is, and brought up to date when it is opened for writing; the original is kept", async () => {
    const file = join(folder, "old.jsonl");
    writeFileSync(file, OLD);
    const repository = createJsonlRepository({ folder });
    expect(await textsIn("old")).toEqual(["system", "one", "two", "answer"]);
    expect(readFileSync(file, "utf8")).toBe(OLD);
    const store = await repository.open("old");
    expect(store.damage).toMatchObject([{ reason: "format", at: file }]);
    expect(readFileSync(`${file}.v1`, "utf8")).toBe(OLD);
    const context = await Context.open({ store });
    expect(context.name).toBe("night work");
    expect(context.items()[3]).toEqual({ type: "note", text: "a record" });
    context.append(messageUser("goes on"));
    await context.close();
    expect(await textsIn("old")).toEqual(["system", "one", "two", "answer", "goes on"]);
    const [info] = await repository.list();
    expect(info).toMatchObject({
      id: "old",
      name: "night work",
      cwd: "/p",
      settings: { model: "ollama/qwen" },
    });
    expect(info?.created).toBe(Date.parse("2026-10-01T08:00:00.000Z"));
    const again = await repository.open("old");
    expect(again.damage).toEqual([]);
    await again.close();
    expect(readdirSync(folder).sort()).toEqual(["old.jsonl", "old.jsonl.v1"]);
  });

  it("with damage in it is brought up to date with what can be read", async () => {
    const file = join(folder, "old.jsonl");
    const damaged = OLD.replace(
      '{"type":2,"content":[{"type":"text","text":"one"}]}',
      '{"type":2,"content":[{"ty',
    );
    writeFileSync(file, damaged);
    const store = await createJsonlRepository({ folder }).open("old");
    expect(store.damage[0]?.message).toContain(`${file}:3`);
    await store.close();
    expect(await textsIn("old")).toEqual(["system", "two", "answer"]);
    expect(readFileSync(`${file}.v1`, "utf8")).toBe(damaged);
  });
});

describe("a newer format", () => {
  const NEW = [
    '{"type":"session","version":3,"id":"new","created":"2027-01-01T00:00:00.000Z"}',
    '{"id":"a","seq":1,"parent":null,"at":1,"kind":"message","message":{"type":2,"content":[{"type":"text","text":"from the future"}]}}',
    '{"id":"b","seq":2,"parent":"a","at":1,"kind":"hologram"}',
    "",
  ].join("\n");

  it("is refused for writing with both numbers, can be read and forked, and stays as it is", async () => {
    const file = join(folder, "new.jsonl");
    writeFileSync(file, NEW);
    const repository = createJsonlRepository({ folder });
    await expect(repository.open("new")).rejects.toMatchObject({
      kind: "version",
      details: { found: 3, supported: 2 },
    });
    await expect(repository.rename("new", "x")).rejects.toMatchObject({ kind: "version" });
    expect(await textsIn("new")).toEqual(["from the future"]);
    const fork = await repository.fork("new");
    expect(await textsIn(fork.id)).toEqual(["from the future"]);
    expect(readFileSync(file, "utf8")).toBe(NEW);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

describe("a place that cannot be written", () => {
  it.skipIf(isRoot)("can be read, and is refused for writing by kind", async () => {
    const repository = createJsonlRepository({ folder });
    await (await repository.create({ id: "s" })).close();
    chmodSync(folder, 0o500);
    try {
      await expect(repository.open("s")).rejects.toMatchObject({ kind: "readonly" });
      await expect(repository.create()).rejects.toMatchObject({ kind: "readonly" });
      expect(await textsIn("s")).toEqual([]);
    } finally {
      chmodSync(folder, 0o700);
    }
  });

  it.runIf(canMount)(
    "such as a read-only mount: read, list, search; writing is refused by kind",
    async () => {
      const repository = createJsonlRepository({ folder });
      const store = await repository.create({ id: "s" });
      const context = await Context.open({ store });
      context.append(messageUser("findable"));
      await context.close();
      execFileSync("mount", ["--bind", folder, folder]);
      try {
        execFileSync("mount", ["-o", "remount,bind,ro", folder]);
        await expect(repository.open("s")).rejects.toMatchObject({ kind: "readonly" });
        await expect(repository.create()).rejects.toMatchObject({ kind: "readonly" });
        await expect(repository.rename("s", "x")).rejects.toMatchObject({ kind: "readonly" });
        await expect(repository.delete("s")).rejects.toMatchObject({ kind: "readonly" });
        expect(await textsIn("s")).toEqual(["findable"]);
        expect((await repository.list()).map(({ id }) => id)).toEqual(["s"]);
        const hits = [];
        for await (const hit of repository.search("find")) hits.push(hit.session);
        expect(hits).toEqual(["s"]);
      } finally {
        execFileSync("umount", ["-l", folder]);
      }
    },
  );

  it.runIf(canMount)(
    "such as a full disk: nothing half is left, and it goes on once there is room",
    async () => {
      const disk = join(folder, "disk");
      mkdirSync(disk);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]);
      try {
        const repository = createJsonlRepository({ folder: disk });
        const context = await Context.open({ store: await repository.create({ id: "s" }) });
        let committed = 0;
        let failure: unknown;
        for (let count = 1; failure === undefined; count += 1) {
          context.append(messageAssistant(`${count} ${"x".repeat(20_000)}`), { merge: false });
          try {
            await context.flush();
            committed = count;
          } catch (error) {
            failure = error;
          }
        }
        expect(failure).toMatchObject({
          kind: "storage",
          cause: { kind: "storage", details: { code: "ENOSPC" } },
        });
        expect(() => context.append(messageUser("more"))).toThrow("make room");
        await context.close().catch(() => undefined);
        fill(join(disk, "filler"));
        await expect(repository.create({ id: "other" })).rejects.toMatchObject({ kind: "storage" });
        execFileSync("mount", ["-o", "remount,size=1m", disk]);
        const store = await repository.open("s");
        const again = await Context.open({ store });
        expect(again.length).toBe(committed);
        expect(store.damage).toEqual([]);
        again.append(messageUser("goes on"));
        await again.close();
        expect((await repository.list()).map(({ id }) => id)).toEqual(["s"]);
      } finally {
        execFileSync("umount", ["-l", disk]);
      }
    },
  );
});

describe("a wrong clock", () => {
  it("changes the order of nothing", async () => {
    const repository = createJsonlRepository({ folder });
    const times = [5_000_000_000_000, 1_000, 4_000_000_000_000, 0, 2_000];
    const store = await repository.create({ id: "s" });
    const context = await Context.open({ store, now: () => times.shift() ?? 1 });
    for (const text of ["a", "b", "c"]) context.append(messageUser(text), { merge: false });
    await context.close();
    expect(await textsIn("s")).toEqual(["a", "b", "c"]);
    const again = await Context.open({ store: await repository.open("s"), now: () => 5 });
    again.append(messageAssistant("d"));
    await again.close();
    expect(await textsIn("s")).toEqual(["a", "b", "c", "d"]);
  });
});

describe("a list", () => {
  it("reads only the ends of the files, whatever lies between", async () => {
    const repository = createJsonlRepository({ folder });
    const context = await Context.open({ store: await repository.create({ id: "big", cwd: "/p" }) });
    context.append(messageUser("what was said first"));
    context.rename("early name");
    for (let count = 0; count < 100; count += 1) {
      context.append(messageAssistant("y".repeat(10_000)), { merge: false });
      await context.flush();
    }
    context.append(messageAssistant("z".repeat(300_000)), { merge: false });
    await context.close();
    // What is in the middle cannot matter: it is gone.
    const file = join(folder, "big.jsonl");
    const bytes = readFileSync(file);
    bytes.fill(0, 70_000, bytes.length - 70_000 - 300_000);
    writeFileSync(file, bytes);
    const [info] = await repository.list();
    expect(info).toMatchObject({ id: "big", cwd: "/p", name: "early name", preview: "what was said first" });
  });

  it("leaves out what is no session and what cannot be opened", async () => {
    const repository = createJsonlRepository({ folder });
    await (await repository.create({ id: "s" })).close();
    mkdirSync(join(folder, "dir.jsonl"));
    for (const name of ["note.txt", ".hidden.jsonl", "empty.jsonl", "a b.jsonl"])
      writeFileSync(join(folder, name), "");
    expect((await repository.list()).map(({ id }) => id)).toEqual(["s"]);
  });

  it("of a folder that is not there is empty", async () => {
    const repository = createJsonlRepository({ folder: join(folder, "nowhere") });
    expect(await repository.list()).toEqual([]);
    expect(await repository.latest()).toBeUndefined();
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});

describe("what a crash left half made", () => {
  it("is taken away once it is old, and never shows", async () => {
    const repository = createJsonlRepository({ folder });
    const token = "01234567-89ab-cdef-0123-456789abcdef";
    const old = [`a.jsonl.${token}.tmp`, `a.jsonl.lock.${token}`];
    const fresh = `b.jsonl.${token}.tmp`;
    for (const name of [...old, fresh]) writeFileSync(join(folder, name), "half");
    const past = new Date(Date.now() - 2 * 3_600_000);
    for (const name of old) utimesSync(join(folder, name), past, past);
    await (await repository.create({ id: "s" })).close();
    expect(readdirSync(folder).sort()).toEqual([fresh, "s.jsonl"]);
    expect((await repository.list()).map(({ id }) => id)).toEqual(["s"]);
  });
});

describe("a folder that is a file", () => {
  it("is named in an error of kind storage, whatever is asked for", async () => {
    const file = join(folder, "in-the-way");
    writeFileSync(file, "mine");
    const repository = createJsonlRepository({ folder: file });
    for (const work of [() => repository.create(), () => repository.list(), () => repository.find("x")]) {
      await expect(work()).rejects.toMatchObject({ kind: "storage", message: expect.stringContaining(file) });
    }
    expect(readFileSync(file, "utf8")).toBe("mine");
  });
});

describe("a session that cannot be read", () => {
  it("is named in an error of kind storage, and hides no other from a list", async () => {
    const repository = createJsonlRepository({ folder });
    await (await repository.create({ id: "good" })).close();
    const file = join(folder, "bad.jsonl");
    mkdirSync(file);
    for (const work of [
      () => repository.find("bad"),
      () => repository.open("bad", { readonly: true }),
      () => repository.open("bad"),
      () => repository.fork("bad"),
    ]) {
      await expect(work()).rejects.toMatchObject({ kind: "storage", message: expect.stringContaining(file) });
    }
    expect((await repository.list()).map(({ id }) => id)).toEqual(["good"]);
  });
});
