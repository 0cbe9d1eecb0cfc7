/** One key of a header with its value as it is written, continuation lines included. */
export interface HeaderEntry {
  readonly key: string;
  /** The lines as they stand, joined by `\n`. */
  readonly text: string;
  /** Line of the key in the file, from 1. */
  readonly line: number;
}

const ENTRY = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]*)[ \t]*:(?:[ \t]|$|(?=[^\s/\\]))/u;

/**
 * Cuts a header into its top-level keys, for one that does not parse as a whole. `first` is the line of the header's
 * first line. `stray` are lines that belong to no key.
 */
export function headerEntries(
  header: string,
  first: number,
): { readonly entries: readonly HeaderEntry[]; readonly stray: readonly number[] } {
  const entries: { key: string; lines: string[]; line: number }[] = [];
  const stray: number[] = [];
  for (const [index, text] of header.split("\n").entries()) {
    const key = ENTRY.exec(text)?.[1];
    const last = entries.at(-1);
    if (key !== undefined) entries.push({ key, lines: [text], line: first + index });
    else if (text.trim() === "" || text.startsWith("#")) last?.lines.push("");
    // A list may begin at the margin of its key.
    else if (last !== undefined && /^(?:[ \t]|- |-$)/.test(text)) last.lines.push(text);
    else stray.push(first + index);
  }
  return {
    entries: entries.map(({ key, lines, line }) => ({ key, line, text: lines.join("\n") })),
    stray,
  };
}

/** The value of an entry as the plain text its writer meant: one line, blanks folded. */
export function entryText({ text }: HeaderEntry): string {
  return text
    .slice(text.indexOf(":") + 1)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** Tabs at the start of a line as two blanks each: YAML refuses them, and people cannot see them. */
export function withoutTabs(header: string): string {
  return header.replace(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "  "));
}
