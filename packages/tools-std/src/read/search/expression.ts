import { ToolError } from "../../tool-error.js";

/** A regular expression as plain data, so that it can be handed to another thread. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** The argument a pattern came in, and a sentence on what would do instead. */
export interface PatternPlace {
  readonly argument: string;
  readonly advice: string;
}

const SEARCH: PatternPlace = { argument: "search.regex", advice: "Use search.text for literal text." };

/** Checks a regular expression of a model: with the `u` flag if it compiles so, else without. Throws kind `usage`. */
export function expressionOf(
  pattern: string,
  ignoreCase: boolean,
  { argument, advice }: PatternPlace = SEARCH,
): Expression {
  // Other dialects write "ignore case" into the pattern.
  const inline = pattern.startsWith("(?i)");
  const source = inline ? pattern.slice("(?i)".length) : pattern;
  const flags = ignoreCase || inline ? "i" : "";
  const unicode = { source, flags: `${flags}u` };
  if (compileProblem(unicode) === undefined) return unicode;
  const plain = { source, flags };
  const problem = compileProblem(plain);
  if (problem === undefined) return plain;
  throw new ToolError("usage", `${argument} does not compile: ${problem}. ${advice}`, { argument });
}

function compileProblem({ source, flags }: Expression): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
