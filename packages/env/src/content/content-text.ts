/** Without the blank lines at both ends and the blanks behind the last line. */
export function trimmedBody(body: string): string {
  return body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

/** One line without control characters; `…` ends one that was cut. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
