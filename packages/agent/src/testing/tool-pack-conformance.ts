import { changeCases } from "./cases/changes.js";
import { descriptionCases } from "./cases/descriptions.js";
import { endingCases } from "./cases/endings.js";
import { importCases } from "./cases/imports.js";
import { packageCases } from "./cases/package.js";
import { resultCases } from "./cases/results.js";
import { shown } from "./expectation.js";
import type { ToolPackSubject } from "./subject.js";
import { type ToolPackCase, unmetNeed } from "./tool-pack-case.js";

/** What every tool package must do, as data: run them with any test runner, or all at once with `runToolPackConformance`. */
export const toolPackConformance: readonly ToolPackCase[] = [
  ...packageCases,
  ...importCases,
  ...descriptionCases,
  ...resultCases,
  ...changeCases,
  ...endingCases,
];

export interface ToolPackResult {
  readonly name: string;
  /** `excused`: it failed as its excuse says. `not run`: this machine cannot run it, so nothing is known. */
  readonly outcome: "passed" | "failed" | "excused" | "not run";
  /** Why it did not pass. */
  readonly reason?: string;
}

export interface ToolPackReport {
  /** No case failed. */
  readonly ok: boolean;
  /** Every case was run; if not, `ok` says little. */
  readonly complete: boolean;
  readonly folder: string;
  readonly results: readonly ToolPackResult[];
}

/** Runs all cases, one after the other. Never rejects for a package that fails. */
export async function runToolPackConformance(subject: ToolPackSubject): Promise<ToolPackReport> {
  const results: ToolPackResult[] = [...unknownExcuses(subject)];
  for (const each of toolPackConformance) results.push(await resultOf(each, subject));
  return {
    ok: results.every(({ outcome }) => outcome !== "failed"),
    complete: results.every(({ outcome }) => outcome !== "not run"),
    folder: subject.folder,
    results,
  };
}

async function resultOf(each: ToolPackCase, subject: ToolPackSubject): Promise<ToolPackResult> {
  const { name } = each;
  const unmet = await unmetNeed(each);
  if (unmet !== undefined) return { name, outcome: "not run", reason: unmet };
  const excuse = subject.excuses?.[name];
  try {
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

function unknownExcuses({ excuses = {} }: ToolPackSubject): readonly ToolPackResult[] {
  const known = new Set(toolPackConformance.map(({ name }) => name));
  return Object.keys(excuses)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, outcome: "failed", reason: "an excuse for a case that does not exist" }));
}
