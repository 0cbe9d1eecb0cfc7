const turns = new Map<string, Promise<unknown>>();

/** Runs work on one file after the other, by real path. Within one process only. */
export async function inTurn<T>(real: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(real) ?? Promise.resolve();
  // Whether the one before came off is its own caller's affair.
  const mine = before.then(work, work);
  turns.set(real, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(real) === mine) turns.delete(real);
  }
}
