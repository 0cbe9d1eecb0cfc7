import { CommandError } from "../command-error.js";

/**
 * The arguments of a tool call as typed in a shell: one JSON object, or `key:value` words whose values are JSON where
 * they parse and text where they do not. Throws kind `usage` naming the word.
 */
export function parseToolArguments(words: readonly string[]): Readonly<Record<string, unknown>> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first.trimStart().startsWith("{")) return parseObject(first);
  return Object.fromEntries(words.map(parsePair));
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError("usage", `the arguments are not valid JSON: ${reason}`, { argument: "arguments" });
  }
}

function parsePair(word: string): readonly [string, unknown] {
  const colon = word.indexOf(":");
  if (colon < 1) {
    throw new CommandError("usage", `"${word}": write arguments as key:value, or as one JSON object`, {
      argument: word,
    });
  }
  const value = word.slice(colon + 1);
  try {
    return [word.slice(0, colon), JSON.parse(value)];
  } catch {
    // Not JSON, so it is the text itself: path:README.md needs no quotes.
    return [word.slice(0, colon), value];
  }
}
