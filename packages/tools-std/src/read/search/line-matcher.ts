import type { SearchRequest } from "../read-request.js";
import type { PatternTester } from "./pattern-tester.js";

/** Tells of each text, a line without its end, whether it matches. */
export type LineMatcher = (texts: readonly string[]) => Promise<readonly boolean[]>;

/** Name of the search expression among the patterns of one call. */
export const SEARCH_GROUP = "search";

export function createLineMatcher(
  { needle, ignoreCase, invert }: SearchRequest,
  patterns: PatternTester,
): LineMatcher {
  const flip = (matches: readonly boolean[]): readonly boolean[] =>
    invert ? matches.map((match) => !match) : matches;
  if ("regex" in needle) return async (texts) => flip(await patterns.matches(SEARCH_GROUP, texts));
  const plain = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = plain(needle.text);
  return async (texts) => flip(texts.map((text) => plain(text).includes(wanted)));
}
