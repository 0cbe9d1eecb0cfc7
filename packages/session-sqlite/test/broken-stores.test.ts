import { runStoreCase, storeConformance } from "@ashlar/context/testing";
import { describe, expect, it } from "vitest";
import { createFixture } from "./support/fixture.js";

interface BrokenDatabase {
  readonly flaw: string;
  /** Makes the database do wrong. */
  readonly sql: string;
  /** The case that has to find it. */
  readonly fails: string;
  readonly says: RegExp;
}

const dropsEntries = (condition: string): string =>
  `CREATE TRIGGER broken AFTER INSERT ON entries WHEN ${condition}
    BEGIN DELETE FROM entries WHERE position = NEW.position; END`;
const changesBodies = (expression: string): string =>
  `CREATE TRIGGER broken AFTER INSERT ON entries
    BEGIN UPDATE entries SET body = ${expression} WHERE position = NEW.position; END`;

const broken: readonly BrokenDatabase[] = [
  {
    flaw: "forgets the journal",
    sql: dropsEntries("NEW.kind = 'journal'"),
    fails: "an operation that was not finished is open after another start, with what it had begun",
    says: /the open operation/,
  },
  {
    flaw: "forgets custom entries",
    sql: dropsEntries("NEW.kind = 'custom'"),
    fails: "entries of every kind come back as they were appended",
    says: /what is read while open/,
  },
  {
    flaw: "loses the newest entry of what was committed",
    sql: dropsEntries("NEW.kind = 'compaction'"),
    fails:
      "what was committed is there after a crash, nothing is invented, and the dead owner's lock does not hold",
    says: /the texts/,
  },
  {
    flaw: "loses which lane an entry is on",
    sql: changesBodies("json_remove(body, '$.lane')"),
    fails: "lanes share one tree and keep their own leaf",
    says: /the lane's texts/,
  },
  {
    flaw: "loses that changes were made as one",
    sql: changesBodies("json_remove(body, '$.joined')"),
    fails: "several changes that were made as one are undone as one after another start",
    says: /the texts/,
  },
  {
    flaw: "keeps a text's strange characters in another form",
    sql: changesBodies("replace(body, '\\u0000', '')"),
    fails: "unknown blocks, fields and strange characters survive",
    says: /"text":"é🙂/,
  },
  {
    flaw: "lets everybody write",
    sql: "CREATE TRIGGER broken AFTER INSERT ON holds BEGIN DELETE FROM holds; END",
    fails: "a session has one writer at a time, in one process too, and may be read meanwhile",
    says: /a lock that says since when/,
  },
  {
    flaw: "never says that a session was used again",
    sql: "CREATE TRIGGER broken AFTER UPDATE OF updated ON sessions BEGIN UPDATE sessions SET updated = OLD.updated WHERE key = NEW.key; END",
    fails: "the list is newest first, bounded, and by folder",
    says: /all: /,
  },
  {
    flaw: "finds nothing in other scripts",
    sql: "CREATE TRIGGER broken AFTER INSERT ON texts WHEN instr(NEW.folded, '漢') BEGIN DELETE FROM texts WHERE position = NEW.position; END",
    fails: "search finds short words, CJK and any case, best first and bounded",
    says: /CJK/,
  },
];

describe("the suite finds a database that", () => {
  it.each(broken)("$flaw", async ({ sql, fails, says }) => {
    const each = storeConformance.find(({ name }) => name === fails);
    if (each === undefined) throw new Error(`there is no case ${fails}`);
    const { outcome, reason } = await runStoreCase(each, () => createFixture("node-sqlite3-wasm", sql));
    expect(outcome).toBe("failed");
    expect(reason).toMatch(says);
  });
});
