/** The name that `wanted` was most likely meant to be; undefined when none is near. */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const plain = fold(wanted);
  const limit = Math.max(1, Math.floor(plain.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const name of names) {
    const distance = editDistance(plain, fold(name), least);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

function fold(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

/** Levenshtein distance; stops early with `bound` when it cannot be smaller. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? bound;
}
