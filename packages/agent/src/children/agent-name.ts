import { spokenText, visibleText } from "./look-alike-letters.js";

/** Characters of a name, counted as a reader does. */
export const MAX_NAME_LENGTH = 64;

/** Letters, digits and marks of any script, with single separators between them: a name stands in headings and lists. */
const SHAPE = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[ ._-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u;

/** Taken as a whole: chat roles, what commands and lists mean by a word, nobody. */
const RESERVED: readonly string[] = [
  "assistant",
  "tool",
  "developer",
  "model",
  "human",
  "function",
  "new",
  "all",
  "any",
  "anon",
  "anonymous",
  "none",
  "null",
  "undefined",
  "true",
  "false",
  "latest",
  "me",
  "you",
  "self",
  "parent",
  "everyone",
];

/** Refused wherever it stands in a name: whoever reads it would take the agent for somebody with a say. */
const RESERVED_PARTS: readonly string[] = [
  "user",
  "admin",
  "group",
  "root",
  "system",
  "owner",
  "operator",
  "moderator",
  "supervisor",
  "sudo",
  "ashlar",
];

/** Why a text is no name for an agent; undefined when it is one. */
export function agentNameProblem(name: string): string | undefined {
  const length = [...name].length;
  if (length === 0 || length > MAX_NAME_LENGTH) return `a name has 1 to ${MAX_NAME_LENGTH} characters`;
  const reserved = reservedWord(name);
  if (reserved !== undefined) return `it reads like "${reserved}", which is reserved`;
  if (!SHAPE.test(name))
    return "a name has letters and digits, with a single space, dot, - or _ between them only";
  return undefined;
}

/** Would a reader take the two for one? */
export function looksAlike(name: string, other: string): boolean {
  return readName(name) === readName(other);
}

function readName(name: string): string {
  return visibleText(name).replaceAll("0", "o").replaceAll("1", "l");
}

function reservedWord(name: string): string | undefined {
  const spoken = spokenText(name);
  const joined = lettersOf(spoken);
  const part = RESERVED_PARTS.find((word) => spoken.includes(visibleText(word)));
  return part ?? [...RESERVED, ...RESERVED_PARTS].find((word) => visibleText(word) === joined);
}

/** Separators do not make another word of it. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}
