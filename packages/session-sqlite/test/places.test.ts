import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Context, messageUser } from "@ashlar/context";
import { createSqliteRepository, type DriverName, type SqliteRepository } from "@ashlar/session-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseIn, drivers, tamper, temporaryFolder } from "./support/fixture.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** Runs with a file system of its own; root only. */
async function onTmpfs(
  size: string,
  use: (place: string, remount: (options: string) => void) => Promise<void>,
): Promise<void> {
  const place = join(folder, "small");
  mkdirSync(place);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", place]);
  try {
    await use(place, (options) => execFileSync("mount", ["-o", `remount,${options}`, place]));
  } finally {
    execFileSync("umount", ["-l", place]);
  }
}

async function fill(repository: SqliteRepository, id: string, texts: readonly string[]): Promise<void> {
  const context = await Context.open({ store: await repository.create({ id }) });
  for (const text of texts) context.append(messageUser(text), { merge: false });
  await context.close();
}

async function textsIn(repository: SqliteRepository, id: string): Promise<number> {
  const store = await repository.open(id, { readonly: true });
  const { length } = await store.load();
  await store.close();
  return length;
}

async function withRepository<Result>(
  driver: DriverName,
  use: (repository: SqliteRepository) => Promise<Result>,
  place = folder,
): Promise<Result> {
  const repository = createSqliteRepository({ folder: place, driver });
  try {
    return await use(repository);
  } finally {
    await repository.close();
  }
}

describe.each(drivers)("a place through %s", (driver) => {
  it.runIf(isRoot)(
    "that is full keeps what was committed, says so, and takes more once there is room",
    async () => {
      await onTmpfs("2m", async (place) => {
        await withRepository(
          driver,
          async (repository) => {
            const store = await repository.create({ id: "s" });
            const filler = join(place, "filler");
            let committed = 0;
            const write = async (count: number): Promise<void> => {
              for (let seq = committed + 1; seq <= count; seq += 1) {
                const stamp = { id: `e${seq}`, seq, parent: seq === 1 ? null : `e${seq - 1}`, at: seq };
                await store.append([
                  { ...stamp, kind: "message", merge: false, message: messageUser("x".repeat(20_000)) },
                ]);
                committed = seq;
              }
            };
            // Room that can be made later.
            writeFileSync(filler, Buffer.alloc(400_000));
            await write(3);
            await expect(write(1_000)).rejects.toMatchObject({
              kind: "storage",
              details: { code: "ENOSPC" },
              message: expect.stringContaining("disk is full"),
            });
            expect((await store.load()).length).toBe(committed);
            await expect(store.append([])).rejects.toMatchObject({ kind: "storage" });
            await store.close();
            rmSync(filler);
            const again = await Context.open({ store: await repository.open("s") });
            expect(again.length).toBe(committed);
            again.append(messageUser("more"), { merge: false });
            await again.close();
            expect(await textsIn(repository, "s")).toBe(committed + 1);
            expect((await repository.check()).isSound).toBe(true);
          },
          place,
        );
      });
    },
  );

  it.runIf(isRoot)("that cannot be written is read, searched and listed, and refuses the rest", async () => {
    await onTmpfs("8m", async (place, remount) => {
      await withRepository(driver, (repository) => fill(repository, "s", ["one", "two"]), place);
      remount("ro");
      await withRepository(
        driver,
        async (repository) => {
          expect(await textsIn(repository, "s")).toBe(2);
          expect((await repository.list()).map(({ id }) => id)).toEqual(["s"]);
          const hits = [];
          for await (const hit of repository.search("two")) hits.push(hit.session);
          expect(hits).toEqual(["s"]);
          const refused = { kind: "readonly", message: expect.stringContaining(databaseIn(place)) };
          await expect(repository.open("s")).rejects.toMatchObject(refused);
          await expect(repository.create()).rejects.toMatchObject(refused);
          await expect(repository.delete("s")).rejects.toMatchObject(refused);
        },
        place,
      );
      remount("rw");
    });
  });

  it("with a file that is no database refuses and leaves it as it was", async () => {
    const text = "Dear diary, this is not for you.\n".repeat(50);
    writeFileSync(databaseIn(folder), text);
    await withRepository(driver, async (repository) => {
      const refused = {
        kind: "damaged",
        details: { at: databaseIn(folder) },
        message: expect.stringContaining("no SQLite database"),
      };
      await expect(repository.list()).rejects.toMatchObject(refused);
      await expect(repository.create()).rejects.toMatchObject(refused);
    });
    expect(readFileSync(databaseIn(folder), "utf8")).toBe(text);
  });

  it("with somebody else's database refuses and leaves its tables as they were", async () => {
    await tamper(folder, driver, (connection) =>
      connection.exec("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (7)"),
    );
    await withRepository(driver, async (repository) => {
      await expect(repository.create()).rejects.toMatchObject({
        kind: "damaged",
        message: expect.stringContaining("a database of something else"),
      });
    });
    await tamper(folder, driver, (connection) => {
      expect(connection.all("SELECT name FROM sqlite_schema").map(({ name }) => name)).toEqual(["theirs"]);
    });
  });

  it("with an empty file begins a new database there", async () => {
    writeFileSync(databaseIn(folder), "");
    await withRepository(driver, async (repository) => {
      await fill(repository, "s", ["one"]);
      expect(await textsIn(repository, "s")).toBe(1);
    });
  });

  it("of a newer format is read and not written", async () => {
    await withRepository(driver, (repository) => fill(repository, "s", ["one"]));
    await tamper(folder, driver, (connection) => connection.exec("PRAGMA user_version = 3"));
    await withRepository(driver, async (repository) => {
      expect(await textsIn(repository, "s")).toBe(1);
      const refused = { kind: "version", details: { found: 3, supported: 2 } };
      await expect(repository.open("s")).rejects.toMatchObject(refused);
      await expect(repository.create()).rejects.toMatchObject(refused);
    });
  });

  it("that was cut short gives what is left, says what is not, and is repaired beside its original", async () => {
    await withRepository(driver, async (repository) => {
      for (const id of ["a", "b", "c"]) {
        await fill(
          repository,
          id,
          Array.from({ length: 40 }, (_, index) => `${id} ${index} ${"y".repeat(900)}`),
        );
      }
    });
    const file = databaseIn(folder);
    truncateSync(file, Math.floor((statSync(file).size * 2) / 3 / 4096) * 4096);
    const cut = readFileSync(file);
    const { report, backup } = await withRepository(driver, async (repository) => {
      const before = await repository.check();
      expect(before.isSound).toBe(false);
      expect(before.problems.length).toBeGreaterThan(0);
      const kept = before.sessions.reduce((sum, { entries }) => sum + entries, 0);
      expect(kept).toBeGreaterThan(20);
      expect(kept).toBeLessThan(120);
      const damage = before.sessions.flatMap(({ damage: found }) => found);
      expect(damage[0]?.message).toContain(file);
      const done = await repository.repair();
      expect(done.entries).toBe(kept);
      return { report: done, backup: done.backup };
    });
    expect(report.sessions).toBe(3);
    expect(readFileSync(backup).subarray(100, 4096).equals(cut.subarray(100, 4096))).toBe(true);
    expect(statSync(backup).size).toBe(cut.length);
    await withRepository(driver, async (repository) => {
      expect(await repository.check()).toMatchObject({ isSound: true });
      const context = await Context.open({ store: await repository.open("a") });
      context.append(messageUser("goes on"));
      await context.close();
    });
  });

  it("is refused for repair while a session is open", async () => {
    await withRepository(driver, async (repository) => {
      const store = await repository.create();
      await expect(repository.repair()).rejects.toMatchObject({ kind: "usage" });
      await store.close();
    });
  });
});

describe("two drivers on one file", () => {
  const [first = "node-sqlite3-wasm", second] = drivers;

  it.runIf(second !== undefined)(
    "are kept apart while both are in use, and take over from each other",
    async () => {
      const one = createSqliteRepository({ folder, driver: first });
      await fill(one, "s", ["from the first"]);
      const two = createSqliteRepository({ folder, driver: "node-sqlite3-wasm" });
      await expect(two.list()).rejects.toMatchObject({
        kind: "storage",
        message: expect.stringContaining(`the process ${process.pid}`),
      });
      await one.close();
      expect(await textsIn(two, "s")).toBe(1);
      const context = await Context.open({ store: await two.open("s") });
      context.append(messageUser("from the second"), { merge: false });
      await context.close();
      await two.close();
      await withRepository(first, async (repository) => expect(await textsIn(repository, "s")).toBe(2));
    },
  );

  it.runIf(second !== undefined)(
    "bring over what a killed process left in the log of the other",
    async () => {
      const one = createSqliteRepository({ folder, driver: "node:sqlite" });
      await fill(one, "s", ["in the log only"]);
      const copy = join(folder, "copy");
      mkdirSync(copy);
      for (const suffix of ["", "-wal"]) cpSync(databaseIn(folder) + suffix, databaseIn(copy) + suffix);
      await one.close();
      await withRepository(
        "node-sqlite3-wasm",
        async (repository) => expect(await textsIn(repository, "s")).toBe(1),
        copy,
      );
      expect(existsSync(`${databaseIn(copy)}-wal`)).toBe(false);
    },
  );
});

describe.each(drivers)("what a list shows, with %s", (driver) => {
  it.each([
    { why: "a NUL", text: "a\u0000b" },
    { why: "a quote at the start", text: '"quoted" words' },
    { why: "what looks like JSON", text: '"a\\u0000b"' },
  ])("keeps $why in a name and in a preview", async ({ text }) => {
    await withRepository(driver, async (repository) => {
      const store = await repository.create({ id: "s", name: text });
      const context = await Context.open({ store });
      context.append(messageUser(text));
      await context.close();
      const [info] = await repository.list();
      expect(info).toMatchObject({ name: text, preview: text });
      expect(await repository.fork("s", { id: "copy" })).toMatchObject({ name: text, preview: text });
      await repository.rename("s", `${text}!`);
      expect((await repository.find("s")).name).toBe(`${text}!`);
    });
  });
});
