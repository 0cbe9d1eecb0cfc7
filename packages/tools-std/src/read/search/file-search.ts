import { withNotes } from "../read-notes.js";
import type { SearchRequest } from "../read-request.js";
import type { ReadFile, ReadScope } from "../read-scope.js";
import { createLineMatcher } from "./line-matcher.js";
import { searchLines } from "./line-search.js";
import { MatchCollector } from "./match-collector.js";

/** The lines of one file that match. */
export async function searchFile(source: ReadFile, search: SearchRequest, scope: ReadScope): Promise<string> {
  const { patterns, meter } = scope;
  const collector = newCollector(search, scope, false);
  collector.beginFile(source.path.shown);
  const matcher = createLineMatcher(search, patterns);
  const long = await searchLines({ file: source.file, matcher, collector, meter });
  return withNotes(collector.text, [...matchNotes(collector, scope), ...longNotes(long)]);
}

export function newCollector(
  search: SearchRequest,
  { request, budget }: ReadScope,
  headings: boolean,
): MatchCollector {
  return new MatchCollector({
    offset: request.offset,
    limit: request.limit,
    before: search.before,
    after: search.after,
    numbers: request.annotate,
    headings,
    maxBytes: budget.outputBytes,
  });
}

/** How many matches are shown, and how to get the next. */
export function matchNotes(collector: MatchCollector, { request, meter }: ReadScope): readonly string[] {
  const { shown, seen, more } = collector;
  const stopped = meter.incomplete();
  const incomplete = stopped === undefined ? [] : [stopped];
  if (shown === 0) {
    const earlier = seen > 0 ? ` There are ${seen} before offset ${request.offset}.` : "";
    return [
      `No matching line${request.offset > 1 ? ` from offset ${request.offset} on` : ""}.${earlier}`,
      ...incomplete,
    ];
  }
  const first = request.offset;
  if (more) return [`Matches ${first}-${seen} shown. Continue with offset: ${seen + 1}.`, ...incomplete];
  return first === 1 && incomplete.length === 0 ? [] : [`Matches ${first}-${seen} shown.`, ...incomplete];
}

export function longNotes(long: number): readonly string[] {
  if (long === 0) return [];
  return [`${long} ${long === 1 ? "line is" : "lines are"} longer than 1 MiB and searched only up to there.`];
}
