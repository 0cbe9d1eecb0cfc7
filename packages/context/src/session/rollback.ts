import type { PathEntry } from "./entry.js";
import { entriesOf, type Sources } from "./projection.js";

/**
 * How many entries of the path remain when the positions from `position` on go, or undefined when cutting the path
 * would also change an earlier position. Looks only at what goes.
 */
export function rollbackLength(
  path: readonly PathEntry[],
  sources: readonly Sources[],
  position: number,
): number | undefined {
  const dropped = new Set(
    sources
      .slice(position)
      .flatMap(entriesOf)
      .map(({ id }) => id),
  );
  let length = path.length;
  while (dropped.size > 0) {
    const entry = path[length - 1];
    // Without a compaction everything that it hides would show again; data that shows nothing may go along.
    if (entry === undefined || entry.kind === "compaction") return undefined;
    if (!dropped.delete(entry.id) && entry.kind !== "custom") return undefined;
    // Without the edit its targets would show again.
    if (entry.kind === "edit") for (const target of entry.targets) dropped.add(target);
    length -= 1;
  }
  return length;
}
