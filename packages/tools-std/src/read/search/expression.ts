import { ToolError } from "../../tool-error.js";

/** A regular expression as plain data, so that it can be handed to another thread. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** Checks a regular expression of a model: with the `u` flag if it compiles so, else without. Throws kind `usage`. */
export function expressionOf(pattern: string, ignoreCase: boolean): Expression {
  // Other dialects write "ignore case" into the pattern.
  const inline = pattern.startsWith("(?i)");
  const source = inline ? pattern.slice("(?i)".length) : pattern;
  const flags = ignoreCase || inline ? "i" : "";
  const unicode = { source, flags: `${flags}u` };
  if (compileProblem(unicode) === undefined) return unicode;
  const plain = { source, flags };
  const problem = compileProblem(plain);
  if (problem === undefined) return plain;
  throw new ToolError(
    "usage",
    `search.regex does not compile: ${problem}. Use search.text for literal text.`,
    {
      argument: "search.regex",
    },
  );
}

function compileProblem({ source, flags }: Expression): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
