import { conversationCases } from "./cases/conversation.js";
import { entryCases } from "./cases/entries.js";
import { forkCases } from "./cases/forks.js";
import { journalCases } from "./cases/journal.js";
import { laneCases } from "./cases/lanes.js";
import { queryCases } from "./cases/queries.js";
import { repositoryCases } from "./cases/repository.js";
import { safetyCases } from "./cases/safety.js";
import { type StoreConformanceCase, type StoreFixture, unmetNeeds } from "./fixture.js";

/** What every session store must do, as data: run it with any test runner, or all at once with `runStoreConformance`. */
export const storeConformance: readonly StoreConformanceCase[] = [
  ...entryCases,
  ...queryCases,
  ...laneCases,
  ...journalCases,
  ...conversationCases,
  ...repositoryCases,
  ...forkCases,
  ...safetyCases,
];

export interface StoreConformanceResult {
  readonly name: string;
  /** `unmet`: the fixture does not serve what the case needs. */
  readonly outcome: "passed" | "failed" | "unmet";
  /** Why it failed, or what is missing. */
  readonly reason?: string;
}

/** Runs one case on a fixture of its own. Never rejects for a store that fails. */
export async function runStoreCase(
  each: StoreConformanceCase,
  createFixture: () => Promise<StoreFixture>,
): Promise<StoreConformanceResult> {
  const { name, why } = each;
  const fixture = await createFixture();
  try {
    const unmet = unmetNeeds(each, fixture);
    if (unmet.length > 0) return { name, outcome: "unmet", reason: `the fixture has no ${unmet.join(", ")}` };
    await each.run(fixture);
    return { name, outcome: "passed" };
  } catch (error) {
    return {
      name,
      outcome: "failed",
      reason: `${error instanceof Error ? error.message : String(error)}. ${why}`,
    };
  } finally {
    await fixture.dispose();
  }
}

/** Runs all cases, one after the other. */
export async function runStoreConformance(
  createFixture: () => Promise<StoreFixture>,
): Promise<readonly StoreConformanceResult[]> {
  const results: StoreConformanceResult[] = [];
  for (const each of storeConformance) results.push(await runStoreCase(each, createFixture));
  return results;
}
