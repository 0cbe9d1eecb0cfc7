import { EXIT_CODES } from "@ashlar/agent/loop";

export const INTERNAL_EXIT_CODE: number = EXIT_CODES.other;
export const CANCELLED_EXIT_CODE: number = EXIT_CODES.cancelled;

const byKind: ReadonlyMap<string, number> = new Map(Object.entries(EXIT_CODES));

/** The exit code of an error's `kind`; kinds that have no row of their own (`settings`, `tool`) count as usage. */
export function exitCodeOfKind(kind: string): number {
  return byKind.get(kind) ?? EXIT_CODES.other;
}
