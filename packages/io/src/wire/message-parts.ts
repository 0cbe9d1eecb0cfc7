import { type Block, isObject, type TextBlock } from "@ashlar/context";
import { IOError } from "../io-error.js";

/** A block and where it stands in the request: named in errors. */
export interface Place {
  readonly message: number;
  readonly block: number;
}

/** The texts of a message as one: blank lines between blocks. */
export function joinTexts(blocks: readonly Block[]): string {
  return blocks
    .filter((block): block is TextBlock => block.type === "text" && block.text !== "")
    .map((block) => block.text)
    .join("\n\n");
}

/**
 * The arguments of a call as the JSON text of an object. What is no object, such as raw text that never parsed,
 * goes back inside one: servers parse what they are sent and would refuse the whole session.
 */
export function argumentsText(value: unknown): string {
  if (isObject(value)) return JSON.stringify(value);
  return value === undefined || value === null ? "{}" : JSON.stringify({ unparsed: value });
}

/** What a model reads where an attachment of a tool result could not be sent. */
export function leftOutNote(what: string, reason: string): string {
  return `[${what} left out: ${reason}]`;
}

/** Kind `malformed`: the wire has no form for this block. */
export function cannotCarry(what: string, place: Place, reason: string): IOError {
  const at = `messages[${place.message}].content[${place.block}]`;
  return new IOError("malformed", `${at}: ${what} cannot be sent: ${reason}`, { at });
}
