/** Waits for all, however they end; rejects with the first failure among them. */
export async function allEnded(works: Iterable<Promise<unknown>>): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
