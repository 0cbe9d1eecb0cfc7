import { CommandError } from "../command-error.js";

/** The number of a flag such as `--limit`; undefined where it was not given. Throws kind `usage` naming the flag. */
export function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0 && text.trim() !== "") return count;
  const problem = `${flag}: expected a whole number above 0, got ${JSON.stringify(text)}`;
  throw new CommandError("usage", problem, { argument: flag });
}
