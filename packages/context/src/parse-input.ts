import { malformed } from "./context-error.js";
import { frozenCopy } from "./json/frozen-copy.js";
import { wellFormed } from "./json/well-formed.js";
import { isObject, nameOfValue } from "./json.js";
import { messageUser } from "./message/build.js";
import { validateItem, validateMessage } from "./message/validate.js";
import type { ContextItem } from "./message.js";

export interface ParsedInput {
  readonly items: readonly ContextItem[];
}

/**
 * What a program reads from stdin, as a context: one JSON array, or one message, array of messages or user text for each LF line.
 * Throws kind `malformed` for an array with an invalid member and for an object whose numeric `type` makes no message.
 */
export function parseInput(text: string): ParsedInput {
  const input = text.startsWith("\ufeff") ? text.slice(1) : text;
  const whole = input.trimStart().startsWith("[") ? jsonOf(input) : undefined;
  if (Array.isArray(whole)) return { items: itemsOf(whole, "context") };
  const items: ContextItem[] = [];
  let number = 0;
  // LF alone ends a line: U+2028, U+2029 and U+0085 are ordinary characters.
  for (const line of input.split("\n")) {
    number += 1;
    const trimmed = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (trimmed.trim() !== "") items.push(...itemsOfLine(trimmed, number));
  }
  return { items };
}

function itemsOfLine(line: string, number: number): readonly ContextItem[] {
  const value = jsonOf(line);
  if (Array.isArray(value)) return itemsOf(value, `line ${number}`);
  if (isObject(value) && typeof value.type === "number") {
    const at = `line ${number}`;
    return [frozenCopy(validateMessage(value, at), at)];
  }
  return [messageUser(wellFormed(line))];
}

function itemsOf(members: readonly unknown[], at: string): readonly ContextItem[] {
  return members.map((member, index) => {
    const place = `${at}[${index}]`;
    if (!isObject(member)) throw malformed(place, `expected a message object, got ${nameOfValue(member)}`);
    return frozenCopy(validateItem(member, place), place);
  });
}

/** The parsed value, or undefined for what is no JSON object or array. */
function jsonOf(text: string): unknown {
  const first = text.trimStart()[0];
  if (first !== "[" && first !== "{") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: by the grammar it is text, which is no failure.
    return undefined;
  }
}
