import { oneLine, trimmedBody } from "./content-text.js";
import { parseFrontmatter } from "./frontmatter.js";

/** What a prompt's file says. */
export interface ParsedPrompt {
  readonly description: string;
  readonly argumentHint: string;
  readonly body: string;
}

const MAX_DESCRIPTION = 1_024;
const MAX_FIRST_LINE = 60;

/** Reads a prompt; the header is optional. Pure; never throws. A prompt without a text is none. */
export function parsePrompt(text: string): {
  readonly prompt: ParsedPrompt | undefined;
  readonly problems: readonly string[];
} {
  const { data, body: below, problems: found } = parseFrontmatter(text);
  const problems = found.map(({ message }) => message);
  const body = trimmedBody(below);
  if (body === "") return { prompt: undefined, problems: [...problems, "it has no text"] };
  const [first = ""] = body.split("\n");
  const given = data?.description;
  const hint = data?.["argument-hint"];
  const description =
    typeof given === "string" && given.trim() !== ""
      ? oneLine(given, MAX_DESCRIPTION)
      : oneLine(first.replace(/^#+ /, ""), MAX_FIRST_LINE);
  // An unquoted [file] is a list in YAML, and a hint as people write it.
  const argumentHint = Array.isArray(hint) ? `[${hint.map(String).join(", ")}]` : hint;
  return {
    prompt: {
      description,
      argumentHint: typeof argumentHint === "string" ? oneLine(argumentHint, MAX_FIRST_LINE) : "",
      body,
    },
    problems,
  };
}
