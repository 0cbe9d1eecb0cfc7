// #region suite
import { createMemoryRepository } from "@ashlar/context";
import { runStoreCase, type StoreFixture, storeConformance } from "@ashlar/context/testing";
import { expect, it } from "vitest";

/** An empty repository, and where the store can: `openSecond` (another process), `crash`, `damage`. */
async function createFixture(): Promise<StoreFixture> {
  return { repository: createMemoryRepository(), dispose: async () => undefined };
}

it.each(storeConformance)("$name", async (each) => {
  const { outcome, reason } = await runStoreCase(each, createFixture);
  expect(outcome, reason).not.toBe("failed");
});
// #endregion
