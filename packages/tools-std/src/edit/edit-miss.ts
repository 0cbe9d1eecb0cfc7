import { cutStart } from "../text-cut.js";
import type { Edit } from "./edit-input.js";
import { foldLookAlikes, namedCharacter } from "./look-alike.js";

const SHOWN = 120;

/** Why a text is not in the file, as the end of a sentence: what is nearly it, and how it differs. Never a guess that is acted on. */
export function explainMiss(file: string, { oldText, newText }: Edit, others: readonly Edit[]): string {
  const text = file.replace(/^\ufeff/, "");
  const wanted = oldText.replaceAll("\r\n", "\n").replace(/^\ufeff/, "");
  return (
    numbered(text, wanted) ??
    lookAlike(text, wanted) ??
    otherSpelling(text, wanted) ??
    whiteSpace(text, wanted) ??
    letterCase(text, wanted) ??
    laterEdit(wanted, others) ??
    doneAlready(text, newText) ??
    firstLine(text, wanted) ??
    "is not in the file. Read it again and copy the text from there"
  );
}

function numbered(text: string, wanted: string): string | undefined {
  if (!/^\d+\t/.test(wanted)) return undefined;
  const bare = wanted.replaceAll(/^\d+\t/gm, "");
  if (bare === "" || !text.includes(bare)) return undefined;
  return "has the line numbers in it that read puts before each line. Leave them out";
}

function lookAlike(text: string, wanted: string): string | undefined {
  const folded = foldLookAlikes(wanted);
  const at = foldLookAlikes(text).indexOf(folded);
  if (at < 0) return undefined;
  for (let index = 0; index < wanted.length; index += 1) {
    const has = text.charAt(at + index);
    const want = wanted.charAt(index);
    if (has === want) continue;
    return `is not in the file, but line ${lineOf(text, at + index)} looks the same: the file has ${namedCharacter(has)} where oldText has ${namedCharacter(want)}. Copy the text from the file`;
  }
  return undefined;
}

/** Composed and decomposed letters, ligatures, an ellipsis for three dots, characters without width. */
function otherSpelling(text: string, wanted: string): string | undefined {
  const folded = foldSpelling(wanted);
  const at = folded === "" ? -1 : foldSpelling(text).indexOf(folded);
  if (at < 0) return undefined;
  const line = lineOf(foldSpelling(text), at);
  const there = text
    .split("\n")
    .slice(line - 1, line - 1 + wanted.split("\n").length)
    .join("\n");
  const inFile = [...there].find((character) => character > "~" && !wanted.includes(character));
  const inWanted = [...wanted].find((character) => character > "~" && !there.includes(character));
  const only = [
    ...(inFile === undefined ? [] : [`${namedCharacter(inFile)} is in the file only`]),
    ...(inWanted === undefined ? [] : [`${namedCharacter(inWanted)} is in oldText only`]),
  ].join(", ");
  return `is not in the file, but line ${line} looks the same: ${only === "" ? "it is spelled with other characters" : only}. Copy the text from the file`;
}

function foldSpelling(text: string): string {
  return text.normalize("NFKC").replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "");
}

function whiteSpace(text: string, wanted: string): string | undefined {
  const folded = foldBlanks(wanted);
  if (folded === "") return undefined;
  const at = foldBlanks(text).indexOf(folded);
  if (at < 0) return undefined;
  // Folding keeps the line ends, so lines can be counted in the folded text.
  const first = lineOf(foldBlanks(text), at);
  const lines = text.split("\n");
  const wantedLines = wanted.split("\n");
  for (const [index, line] of wantedLines.entries()) {
    const has = lines[first - 1 + index] ?? "";
    if (standsIn(has, line, { opens: index > 0, closes: index < wantedLines.length - 1 })) continue;
    return `is not in the file, but line ${first + index} differs in white space only: the file has ${shown(has)}, oldText has ${shown(line)}`;
  }
  return `is not in the file, but from line ${first} on it differs in white space only`;
}

/** A wanted line that is not the first begins where the line begins; one that is not the last ends where it ends. */
function standsIn(
  has: string,
  line: string,
  { opens, closes }: { opens: boolean; closes: boolean },
): boolean {
  if (opens && closes) return has === line;
  if (opens) return has.startsWith(line);
  return closes ? has.endsWith(line) : has.includes(line);
}

/** Runs of blanks count as one, and none at the ends of lines. */
function foldBlanks(text: string): string {
  return text.replaceAll(/[^\S\n]+/g, " ").replaceAll(/^ | $/gm, "");
}

function letterCase(text: string, wanted: string): string | undefined {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return undefined;
  return `is not in the file, but line ${lineOf(text, at)} differs in upper and lower case only`;
}

function laterEdit(wanted: string, others: readonly Edit[]): string | undefined {
  if (!others.some(({ newText }) => newText.includes(wanted))) return undefined;
  return "is not in the file as it is now, only in the newText of another edit. All edits are matched against the file before any of them; join the two";
}

function doneAlready(text: string, newText: string): string | undefined {
  const done = newText.replaceAll("\r\n", "\n");
  const at = done.trim().length < 4 ? -1 : text.indexOf(done);
  return at < 0
    ? undefined
    : `is not in the file, but its newText is, in line ${lineOf(text, at)}: this edit may have been made before`;
}

/** A text that begins like a place of the file and then goes another way. */
function firstLine(text: string, wanted: string): string | undefined {
  const wantedLines = wanted.split("\n");
  const lines = text.split("\n");
  const [first = ""] = wantedLines;
  if (wantedLines.length < 2 || first.trim() === "") return undefined;
  const at = lines.findIndex((line) => line.endsWith(first));
  if (at < 0) return undefined;
  const off = wantedLines.findIndex((line, index) => index > 0 && lines[at + index] !== line);
  if (off < 1) return undefined;
  const has = lines[at + off];
  const there = has === undefined ? "the file ends" : `the file has ${shown(has)}`;
  return `is not in the file. It begins like line ${at + 1}, but in line ${at + off + 1} ${there} where oldText has ${shown(wantedLines[off] ?? "")}`;
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return line;
}

function shown(line: string): string {
  return JSON.stringify(cutStart(line, SHOWN));
}
