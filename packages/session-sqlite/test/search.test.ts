import { rmSync } from "node:fs";
import { type MessageEntry, messageUser, type SearchHit, SearchScan } from "@ashlar/context";
import { createSqliteRepository, type SqliteRepository } from "@ashlar/session-sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { piecesQuery } from "../src/search/pieces.js";
import { drivers, tamper, temporaryFolder } from "./support/fixture.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function entriesOf(texts: readonly string[], from = 1): readonly MessageEntry[] {
  return texts.map((text, index) => ({
    id: `e${from + index}`,
    seq: from + index,
    parent: null,
    at: from + index,
    kind: "message",
    message: messageUser(text),
  }));
}

async function hitsOf(search: AsyncIterable<SearchHit>): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = [];
  for await (const hit of search) hits.push(hit);
  return hits;
}

const piece = fc.constantFrom(
  "a",
  "b",
  "é",
  "e\u0301",
  "I",
  "İ",
  "ß",
  "漢",
  "字",
  "🙂",
  '"',
  "'",
  "%",
  "_",
  "*",
  "\u0000",
  "-",
  " ",
  " ",
  "\n",
);
const someText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
const someQuery = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));

describe.each(drivers)("search through %s", (driver) => {
  const open = (): SqliteRepository => createSqliteRepository({ folder, driver });

  it("gives what a scan of every entry gives, however much of it the index knows", async () => {
    const repository = open();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(someText, { minLength: 1, maxLength: 12 }),
        fc.array(someQuery, { minLength: 1, maxLength: 4 }),
        fc.nat(12),
        async (texts, queries, known) => {
          count += 1;
          const id = `s${count}`;
          const store = await repository.create({ id, cwd: `/p${count}` });
          const entries = entriesOf(texts);
          if (known > 0) await store.append(entries.slice(0, known));
          await repository.updateIndex();
          if (known < entries.length) await store.append(entries.slice(known));
          for (const query of queries) {
            const scan = new SearchScan(query, { limit: 100 });
            for (const entry of entries) scan.look(id, entry);
            const hits = await hitsOf(repository.search(query, { cwd: `/p${count}`, limit: 100 }));
            expect(hits.map(({ entry }) => entry)).toEqual(scan.hits.map(({ entry }) => entry));
          }
          await store.close();
          await repository.delete(id);
        },
      ),
      { numRuns: 15 },
    );
    await repository.close();
  }, 120_000);

  it.each([
    { why: "a word of two letters", query: "io" },
    { why: "a CJK phrase", query: "漢字の文" },
    { why: "one character of it", query: "漢" },
    { why: "a long word, in the index", query: "sentences" },
    { why: "a long and a short one", query: "SENTENCES io" },
  ])(
    "finds one entry among 3,000: $why",
    async ({ query }) => {
      const repository = open();
      const store = await repository.create({ id: "s" });
      const noise = Array.from({ length: 3_000 }, (_, index) => `filler number ${index}`);
      noise[1_700] = "これは漢字の文です with sentences of io";
      await store.append(entriesOf(noise));
      const [hit, ...more] = await hitsOf(repository.search(query));
      expect(hit).toMatchObject({ session: "s", entry: "e1701" });
      expect(more).toEqual([]);
      await repository.close();
    },
    60_000,
  );

  it("ends with the signal's reason while it works", async () => {
    const repository = open();
    const store = await repository.create({ id: "s" });
    await store.append(entriesOf(Array.from({ length: 2_000 }, (_, index) => `word ${index}`)));
    const reason = new Error("typed on");
    const stop = new AbortController();
    setImmediate(() => stop.abort(reason));
    await expect(hitsOf(repository.search("word", { signal: stop.signal }))).rejects.toBe(reason);
    await repository.close();
  });

  it("finds nothing of a session that was deleted, nor does the index keep a piece of it", async () => {
    const repository = open();
    const store = await repository.create({ id: "s" });
    await store.append(entriesOf(["secret words"]));
    await store.close();
    await repository.updateIndex();
    expect(await hitsOf(repository.search("secret"))).toHaveLength(1);
    await repository.delete("s");
    expect(await hitsOf(repository.search("secret"))).toEqual([]);
    await repository.close();
    await tamper(folder, driver, (connection) => {
      expect(connection.all(`SELECT rowid FROM pieces WHERE pieces MATCH '"sec"'`)).toEqual([]);
    });
  });

  it.each([
    { why: "with new texts to take in", more: ["words of wit"] },
    { why: "when it knew everything", more: [] },
  ])("works without its index when that is damaged, and makes it anew: $why", async ({ more }) => {
    const first = open();
    await (await first.create({ id: "s" })).append(entriesOf(["words of wisdom", "words of folly"]));
    await first.updateIndex();
    await first.close();
    await tamper(folder, driver, (connection) => connection.exec("DELETE FROM pieces_data WHERE id = 10"));
    const second = open();
    const store = await second.open("s");
    await store.append(entriesOf(more, 3));
    for (let round = 0; round < 2; round += 1)
      expect((await hitsOf(second.search("wisdom"))).map(({ entry }) => entry)).toEqual(["e1"]);
    await second.updateIndex();
    expect(await second.check()).toMatchObject({ isSound: true });
    await second.close();
  });
});

describe("the question to the index", () => {
  it.each([
    { why: "nothing for short words", words: ["io", "漢"], query: undefined },
    { why: "every piece of a word", words: ["abcd"], query: '"abc" AND "bcd"' },
    { why: "characters, not halves of them", words: ["🙂🙂x"], query: '"🙂🙂x"' },
    { why: "quotes as text", words: ['a"b'], query: '"a""b"' },
    { why: "a piece once", words: ["aaaa", "ab"], query: '"aaa"' },
  ])("asks for $why", ({ words, query }) => expect(piecesQuery(words)).toBe(query));
});
