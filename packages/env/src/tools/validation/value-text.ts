const MAX_LENGTH = 80;

/** A value as an error message shows it, cut to one short line. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  if (text.length <= MAX_LENGTH) return text;
  // Cut between characters, never inside a surrogate pair.
  return `${Array.from(text.slice(0, MAX_LENGTH)).slice(0, -1).join("")}…`;
}

/** `["edits", 0, "oldText"]` → `edits[0].oldText`; the root is `arguments`. */
export function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return "arguments";
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}
