// Anything that could be taken for the text around it: control and format characters, line separators, quotes.
const SUSPECT = /[\p{C}\p{Zl}\p{Zp}"\\]|^\s|\s$|^$/u;

/** A file name or path as it stands in a text: as it is, or as a JSON string when it could be misread. */
export function shownName(name: string): string {
  if (!SUSPECT.test(name)) return name;
  return JSON.stringify(name).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()].map((index) => escaped(character.charCodeAt(index))).join(""),
  );
}

/** JSON escapes by code unit: a character above U+FFFF takes two. */
function escaped(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, "0")}`;
}
