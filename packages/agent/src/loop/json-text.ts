/** JSON text of whatever a tool returned. What JSON has no word for is shown by name instead of being lost. */
export function jsonText(value: unknown): string {
  try {
    return stringify(value) ?? String(value);
  } catch (error) {
    return `(a value that could not be shown: ${error instanceof Error ? error.message : String(error)})`;
  }
}

function stringify(value: unknown): string | undefined {
  const path: unknown[] = [];
  return JSON.stringify(value, function (this: unknown, _key, given: unknown) {
    const shown = showable(given);
    if (typeof shown !== "object" || shown === null) return shown;
    // `this` is the holder: what lies deeper than it on the path is finished.
    while (path.length > 0 && path.at(-1) !== this) path.pop();
    if (path.includes(shown)) return "[circular]";
    path.push(shown);
    return shown;
  });
}

function showable(value: unknown): unknown {
  switch (typeof value) {
    case "bigint":
      return value.toString();
    case "function":
      return `[function ${value.name}]`;
    case "symbol":
      return value.toString();
    case "number":
      return Number.isFinite(value) ? value : String(value);
    default:
      break;
  }
  if (value instanceof Map) return [...value.entries()];
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  return value;
}
