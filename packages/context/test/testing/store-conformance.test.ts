import { createMemoryRepository } from "@ashlar/context";
import {
  runStoreCase,
  runStoreConformance,
  type StoreFixture,
  storeConformance,
} from "@ashlar/context/testing";
import { describe, expect, it } from "vitest";
import { brokenStores } from "./broken-repositories.js";

const fixtureOver = (create: () => StoreFixture["repository"]) => async (): Promise<StoreFixture> => ({
  repository: create(),
  dispose: async () => undefined,
});

describe("a session store in memory", () => {
  it.each(storeConformance)("$name", async (each) => {
    const result = await runStoreCase(each, fixtureOver(createMemoryRepository));
    const unmet = each.needs === undefined ? "passed" : "unmet";
    expect(result).toMatchObject({ outcome: unmet });
  });
});

describe("the cases", () => {
  it("are many, each with a name of its own and a reason", () => {
    expect(storeConformance.length).toBeGreaterThanOrEqual(40);
    expect(new Set(storeConformance.map(({ name }) => name)).size).toBe(storeConformance.length);
    for (const { why } of storeConformance) expect(why).toMatch(/\.$/);
  });

  it("can be run all at once", async () => {
    const results = await runStoreConformance(fixtureOver(createMemoryRepository));
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  });
});

describe("a broken store", () => {
  it.each(brokenStores)("is found: $flaw", async ({ fails, says, create }) => {
    for (const name of fails) {
      const each = storeConformance.find((one) => one.name === name);
      if (each === undefined) throw new Error(`there is no case ${name}`);
      const result = await runStoreCase(each, fixtureOver(create));
      expect(result).toMatchObject({ name, outcome: "failed" });
      expect(result.reason).toMatch(says);
    }
  });
});
