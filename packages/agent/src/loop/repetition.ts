import type { BudgetStop } from "./budget.js";

/** A call that ran or was answered, as the rule against loops sees it. */
export interface ObservedCall {
  readonly name: string;
  /** Canonical JSON, so that key order and blanks do not hide a repeat. */
  readonly argumentsKey: string;
  readonly resultKey: string;
  /** It may have changed something, so what came before is no repeat of what comes after. */
  readonly changed: boolean;
}

export interface RepetitionLimits {
  /** Equal calls at which the run stops, at least 2; `Infinity`: never. */
  readonly stop: number;
}

/** The latest calls since something changed, oldest first. */
export interface Repetition {
  readonly calls: readonly ObservedCall[];
  /** Calls the model was told about already. */
  readonly told: readonly ObservedCall[];
}

export interface RepetitionVerdict {
  readonly repetition: Repetition;
  /** One text for the model for each call that came near the limit. */
  readonly hints: readonly BudgetStop[];
  readonly stop?: BudgetStop;
}

export const NO_REPETITION: Repetition = { calls: [], told: [] };

/** Takes in one batch. Equal calls with equal results in a window of twice the limit count, so A, B, A, B is a loop too. */
export function observeCalls(
  before: Repetition,
  batch: readonly ObservedCall[],
  limits: RepetitionLimits,
): RepetitionVerdict {
  if (!Number.isFinite(limits.stop)) return { repetition: NO_REPETITION, hints: [] };
  const hintAt = Math.max(2, Math.ceil(limits.stop / 2));
  let calls = [...before.calls];
  let told = before.told;
  const hints: BudgetStop[] = [];
  let stop: BudgetStop | undefined;
  for (const call of batch) {
    if (call.changed) {
      calls = [];
      told = [];
      continue;
    }
    calls.push(call);
    if (calls.length > limits.stop * 2) calls.shift();
    const count = calls.filter((other) => isSame(other, call)).length;
    if (count >= limits.stop) stop ??= stopText(call, count, limits.stop);
    else if (count >= hintAt && !told.some((other) => isSame(other, call))) {
      told = [...told, call];
      hints.push(hintText(call, count, limits.stop));
    }
  }
  return { repetition: { calls, told }, hints, ...(stop !== undefined && { stop }) };
}

function isSame(a: ObservedCall, b: ObservedCall): boolean {
  return a.name === b.name && a.argumentsKey === b.argumentsKey && a.resultKey === b.resultKey;
}

function hintText(call: ObservedCall, used: number, limit: number): BudgetStop {
  const message = `You called ${call.name} ${used} times with the same arguments and got the same result each time. Nothing changed in between, so another such call gives the same again. Use what you have, or do something else.`;
  return { rule: "repeat", used, limit, message };
}

function stopText(call: ObservedCall, used: number, limit: number): BudgetStop {
  const message = `Stopped a loop: ${call.name} was called ${used} times with the same arguments and the same result, and nothing changed in between.`;
  return { rule: "repeat", used, limit, message };
}
