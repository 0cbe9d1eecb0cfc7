import { type SearchHit, type SearchOptions, SearchScan } from "@ashlar/context";
import { openForReading, type SessionPlace } from "./open-session.js";

/** Scans the sessions one after the other and yields the best hits. Throws the signal's reason when it fires. */
export async function* searchSessions(
  text: string,
  options: SearchOptions,
  places: () => Promise<readonly SessionPlace[]>,
): AsyncGenerator<SearchHit, void, undefined> {
  const scan = new SearchScan(text, options);
  options.signal?.throwIfAborted();
  if (scan.isBlank) return;
  for (const place of await places()) await scanOne(scan, place, options.signal);
  for (const hit of scan.hits) {
    options.signal?.throwIfAborted();
    yield hit;
  }
}

async function scanOne(
  scan: SearchScan,
  place: SessionPlace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const store = await openOrNone(place);
  if (store === undefined) return;
  try {
    for await (const entry of store.read()) {
      signal?.throwIfAborted();
      scan.look(place.id, entry);
    }
  } finally {
    await store.close();
  }
}

async function openOrNone(place: SessionPlace) {
  try {
    return await openForReading(place);
  } catch {
    // Deleted meanwhile, or no session: neither has anything to find.
    return undefined;
  }
}
