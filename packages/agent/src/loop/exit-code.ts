/** What the end of a run is called, and the exit code of a command that ends with it. Frozen. */
export const EXIT_CODES = Object.freeze({
  success: 0,
  usage: 1,
  other: 1,
  auth: 2,
  network: 3,
  provider: 4,
  malformed: 5,
  budget: 6,
  refused: 7,
  cancelled: 130,
});

/**
 * `budget`: a limit or a loop stopped the run. `refused`: it ended well, but a call was refused for sandbox or
 * permission and no later call of that tool succeeded. `other`: a failure of the host itself.
 */
export type ResultKind = keyof typeof EXIT_CODES;

export function exitCodeOf(result: { readonly kind: ResultKind }): number {
  return EXIT_CODES[result.kind];
}
