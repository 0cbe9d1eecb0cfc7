/**
 * What would steer a terminal or turn its text around: control characters but tab and line feed, line and paragraph
 * separators, overrides of the direction.
 */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
const BLANKS = /\s+/g;
const LAST_SINGLE_BYTE = 0x7f;
const ELLIPSIS = "…";

/** Text of anybody's for a terminal: what would steer it is spelled out, such as `\u001b`; tabs and line feeds stay. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(STEERING, spelled);
}

/** The same on one line, blanks drawn together. */
export function visibleLine(text: string): string {
  return visibleText(text.replaceAll(BLANKS, " ").trim());
}

/** JSON on one line, in which what would steer a terminal is an escape, so that it parses to the same value. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(STEERING, spelled);
}

/** Shortens a line to what fits into `columns`, counting each character that is not ASCII at its widest. */
export function clipped(line: string, columns: number | undefined): string {
  if (columns === undefined) return line;
  const characters = Array.from(line);
  let width = 0;
  let fits = 0;
  for (const [index, character] of characters.entries()) {
    width += widest(character);
    if (width > columns) return `${characters.slice(0, fits).join("")}${columns > 1 ? ELLIPSIS : ""}`;
    // The ellipsis takes up to two columns itself.
    if (width <= columns - 2) fits = index + 1;
  }
  return line;
}

function widest(character: string): number {
  return (character.codePointAt(0) ?? 0) > LAST_SINGLE_BYTE ? 2 : 1;
}

function spelled(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
