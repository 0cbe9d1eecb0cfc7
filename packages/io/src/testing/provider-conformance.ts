import { answerCases } from "./cases/answers.js";
import { callCases } from "./cases/calls.js";
import { errorCases } from "./cases/errors.js";
import { lifetimeCases } from "./cases/lifetime.js";
import { packageCases } from "./cases/package.js";
import { requestCases } from "./cases/requests.js";
import { type ConformanceCase, unmetNeed } from "./conformance-case.js";
import { shown } from "./expectation.js";
import type { ProviderSubject } from "./subject.js";

/** What every provider must do, as data: run them with any test runner, or all at once with `runProviderConformance`. */
export const providerConformance: readonly ConformanceCase[] = [
  ...packageCases,
  ...answerCases,
  ...callCases,
  ...errorCases,
  ...lifetimeCases,
  ...requestCases,
];

export interface ConformanceResult {
  readonly name: string;
  /** `excused`: it failed as its excuse says, or it cannot be asked of this provider. */
  readonly outcome: "passed" | "failed" | "excused";
  /** Why it failed or is excused. */
  readonly reason?: string;
}

export interface ConformanceReport {
  /** No case failed. */
  readonly ok: boolean;
  readonly provider: string;
  readonly contract: number;
  readonly results: readonly ConformanceResult[];
}

/** Runs all cases, one after the other. Never rejects for a provider that fails. */
export async function runProviderConformance(subject: ProviderSubject): Promise<ConformanceReport> {
  const results: ConformanceResult[] = [...unknownExcuses(subject)];
  for (const each of providerConformance) results.push(await resultOf(each, subject));
  return {
    ok: results.every(({ outcome }) => outcome !== "failed"),
    provider: String(subject.Provider?.provider?.label ?? "provider"),
    contract: Number(subject.Provider?.contract ?? Number.NaN),
    results,
  };
}

async function resultOf(each: ConformanceCase, subject: ProviderSubject): Promise<ConformanceResult> {
  const { name } = each;
  const excuse = subject.excuses?.[name];
  try {
    const unmet = unmetNeed(each, subject);
    if (unmet !== undefined) return { name, outcome: "excused", reason: unmet };
    await each.run(subject);
  } catch (error) {
    const reason = `${error instanceof Error ? error.message : shown(error)}. ${each.why}`;
    return excuse === undefined
      ? { name, outcome: "failed", reason }
      : { name, outcome: "excused", reason: excuse };
  }
  if (excuse === undefined) return { name, outcome: "passed" };
  return { name, outcome: "failed", reason: `it is excused ("${excuse}") and passes: take the excuse away` };
}

function unknownExcuses({ excuses = {} }: ProviderSubject): readonly ConformanceResult[] {
  const known = new Set(providerConformance.map(({ name }) => name));
  return Object.keys(excuses)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, outcome: "failed", reason: "an excuse for a case that does not exist" }));
}
