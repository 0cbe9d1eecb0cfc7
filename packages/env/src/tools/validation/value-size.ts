/** How many values `value` is made of, itself included; or that it nests deeper than `maxDepth`. */
export function measureValue(value: unknown, maxDepth: number): number | "too deep" {
  let count = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return "too deep";
    count += level.length;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return count;
}
