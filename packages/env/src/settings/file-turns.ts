const last = new Map<string, Promise<void>>();

/** Runs `work` after whatever else in this process works on the file: two Envs share the user's settings. */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(file);
  const result = before === undefined ? work() : before.then(work);
  const ended = result.then(
    () => undefined,
    () => undefined, // The caller has the failure; the next in turn only waits.
  );
  last.set(file, ended);
  try {
    return await result;
  } finally {
    if (last.get(file) === ended) last.delete(file);
  }
}
