import { type ContextItem, messageUser, parseInput } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import { readInput } from "../read-input.js";
import type { Terminal } from "../terminal.js";

export interface PromptOptions {
  /** Nothing to say is no error: the conversation goes on from where it stands. Default false. */
  readonly mayBeEmpty?: boolean;
}

/**
 * The conversation a command starts from: the words of the command line, which leave stdin alone, or else stdin in its
 * grammar. Throws kind `usage` when there is nothing to send.
 */
export async function promptOf(
  terminal: Terminal,
  words: readonly string[],
  { mayBeEmpty = false }: PromptOptions = {},
): Promise<readonly ContextItem[]> {
  if (words.length > 0) return [messageUser(words.join(" "))];
  if (mayBeEmpty && terminal.input === undefined) return [];
  const items = parseInput(await readInput(terminal)).items;
  if (items.length === 0 && !mayBeEmpty)
    throw new CommandError("usage", "stdin was empty; pipe a prompt in, or give one as an argument", {});
  return items;
}
