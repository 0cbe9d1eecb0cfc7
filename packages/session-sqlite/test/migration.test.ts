import { existsSync, rmSync } from "node:fs";
import { Context, messageUser } from "@ashlar/context";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseDriver } from "../src/driver/choose-driver.js";
import { databaseIn, drivers, tamper, temporaryFolder } from "./support/fixture.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FORMAT_1 = `
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
    cwd TEXT, name TEXT, preview TEXT, parent TEXT, settings TEXT, seq INTEGER NOT NULL
  );
  CREATE TABLE entries (
    position INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX entries_by_session ON entries (session);
  INSERT INTO sessions VALUES (1, 's', 1, 3, '/p', 'old', 'first words', NULL, '{"model":"m"}', 3);
  PRAGMA application_id = ${0x4173_686c};
  PRAGMA user_version = 1;
`;

const stamp = (seq: number) => ({ id: `e${seq}`, seq, parent: seq === 1 ? null : `e${seq - 1}`, at: seq });
const entries = [
  { ...stamp(1), kind: "message", message: messageUser("first words") },
  { ...stamp(2), kind: "custom", name: "c", data: 1 },
  { ...stamp(3), kind: "message", message: messageUser("on the side"), lane: "side" },
];

describe.each(drivers)("a database of format 1 through %s", (driver) => {
  beforeEach(() =>
    tamper(folder, driver, (connection) => {
      connection.exec(FORMAT_1);
      for (const entry of entries)
        connection.run(
          "INSERT INTO entries (session, seq, body) VALUES (1, ?, ?)",
          entry.seq,
          JSON.stringify(entry),
        );
      connection.run("INSERT INTO entries (session, seq, body) VALUES (1, 4, '{{{')");
    }),
  );

  it("is brought to this one, says so, keeps the original and goes on", async () => {
    const repository = createSqliteRepository({ folder, driver });
    expect(await repository.find("s")).toMatchObject({ name: "old", cwd: "/p", settings: { model: "m" } });
    const store = await repository.open("s");
    expect(await store.load()).toEqual(entries);
    const original = `${databaseIn(folder)}.format-1`;
    expect(store.damage.map(({ reason }) => reason)).toEqual(["format", "unreadable"]);
    expect(store.damage[0]?.message).toContain(original);
    const custom = [];
    for await (const { id } of store.read({ kinds: ["custom"] })) custom.push(id);
    expect(custom).toEqual(["e2"]);
    const hits = [];
    for await (const { entry } of repository.search("side")) hits.push(entry);
    expect(hits).toEqual(["e3"]);
    const context = await Context.open({ store });
    context.append(messageUser("now"));
    await context.close();
    await repository.close();
    const connection = (await chooseDriver(driver)).open(original);
    expect(connection.all("PRAGMA user_version")[0]?.user_version).toBe(1);
    expect(connection.all("SELECT count(*) AS entries FROM entries")[0]?.entries).toBe(4);
    connection.close();
  });

  it("is brought over once, and its original is never written over", async () => {
    for (let round = 0; round < 2; round += 1) {
      const repository = createSqliteRepository({ folder, driver });
      const store = await repository.open("s", { readonly: true });
      expect(store.damage.length).toBe(round === 0 ? 1 : 0);
      await repository.close();
    }
    expect(existsSync(`${databaseIn(folder)}.format-1`)).toBe(true);
  });
});
