/** The name of the list that somebody most likely meant; undefined when none is within a third of its letters. Letter case does not count. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const wanted = wrong.slice(0, MAX_LETTERS).toLowerCase();
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let nearest: string | undefined;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= least) continue;
    const edits = countEdits(wanted, name.toLowerCase());
    if (edits >= least) continue;
    least = edits;
    nearest = name;
  }
  return nearest;
}

/** ` (did you mean X?)`, or nothing when no name is near. */
export function hintFor(wrong: string, names: Iterable<string>): string {
  const nearest = nearestName(wrong, names);
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}

/** Longer input is no misspelt name. */
const MAX_LETTERS = 100;

/** Letters to insert, drop, replace or swap with a neighbour until the texts are the same. */
function countEdits(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(from.length, to.length);
}
