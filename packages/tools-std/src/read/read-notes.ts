import type { TextMarks } from "./text/line-page.js";

/** Notes follow the content, one bracketed line each, so that they are not taken for it. */
export function notesText(notes: readonly string[]): string {
  return notes.map((note) => `[${note}]`).join("\n");
}

/** Content, then notes on lines of their own. */
export function withNotes(content: string, notes: readonly string[]): string {
  if (notes.length === 0) return content;
  const end = content === "" || content.endsWith("\n") ? "" : "\n";
  return `${content}${end}${notesText(notes)}`;
}

export function markNotes({ invalid, nul, bom }: TextMarks): readonly string[] {
  return [
    ...(bom ? ["The file begins with a byte order mark, which is not shown."] : []),
    ...(invalid ? ["Bytes that are not UTF-8 are shown as \ufffd."] : []),
    ...(nul ? ["NUL bytes are shown as \u2400."] : []),
  ];
}
