import type { SearchRequest } from "../read-request.js";
import type { ReadFile, ReadScope } from "../read-scope.js";
import type { TextView } from "../text/text-view.js";
import { createLineMatcher } from "./line-matcher.js";
import { searchLines } from "./line-search.js";
import { MatchCollector } from "./match-collector.js";

/** Characters of one line that are shown. */
const SHOWN_LINE = 1000;

/** The lines of one file that match. */
export async function searchFile(
  source: ReadFile,
  search: SearchRequest,
  scope: ReadScope,
): Promise<TextView> {
  const { patterns, meter } = scope;
  const collector = newCollector(search, scope, false);
  collector.beginFile(source.path.shown);
  const matcher = createLineMatcher(search, patterns);
  const long = await searchLines({ file: source.file, matcher, collector, meter });
  return {
    text: collector.text,
    notes: [...matchNotes(collector, scope), ...longNotes(long)],
    partial: isPartialSearch(collector, scope) || long > 0,
  };
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
    maxLineLength: request.target === undefined ? SHOWN_LINE : Number.POSITIVE_INFINITY,
  });
}

/** Was something that was asked for left out? */
export function isPartialSearch({ overflowed }: MatchCollector, { meter }: ReadScope): boolean {
  return overflowed || meter.exhausted !== undefined;
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
