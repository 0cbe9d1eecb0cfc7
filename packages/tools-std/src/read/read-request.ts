import { ToolError } from "../tool-error.js";
import type { ReadInput, ReadLineRange, ReadRange, ReadSearch } from "./read-input.js";

const DEFAULT_LIMIT = 100;

/** What to search for; exactly one of the two. */
type SearchNeedle = { readonly text: string } | { readonly regex: string };

export interface SearchRequest {
  readonly needle: SearchNeedle;
  readonly ignoreCase: boolean;
  readonly invert: boolean;
  readonly before: number;
  readonly after: number;
}

/** The arguments of one call, checked against each other, defaults filled in. */
export interface ReadRequest {
  readonly path: string;
  readonly recursive: boolean;
  readonly ignore: boolean;
  readonly glob: readonly string[];
  readonly exclude: readonly string[];
  readonly lines: ReadRange | undefined;
  readonly characters: ReadRange | undefined;
  readonly bytes: ReadRange | undefined;
  readonly search: SearchRequest | undefined;
  /** Entries and matches. */
  readonly limit: number;
  /** Lines of a text; undefined: as many as fit. */
  readonly lineLimit: number | undefined;
  /** From 1. */
  readonly offset: number;
  readonly info: boolean;
  readonly annotate: boolean;
  readonly binary: boolean;
  readonly base64: boolean;
  /** Where the result is saved. */
  readonly target: string | undefined;
}

/** Throws kind `usage` for arguments that do not go together. */
export function readRequest(input: ReadInput): ReadRequest {
  checkTogether(input);
  const { recursive, glob, search, limit, target } = input;
  return {
    path: input.path,
    recursive: recursive ?? (glob !== undefined || search !== undefined),
    ignore: input.ignore ?? false,
    glob: patternList("glob", glob),
    exclude: patternList("exclude", input.exclude),
    lines: input.lines === undefined ? undefined : lineRange(input.lines),
    characters: checkedRange("characters", input.characters),
    bytes: checkedRange("bytes", input.bytes),
    search: search === undefined ? undefined : searchRequest(search),
    // What is saved need not be paged.
    limit: limit ?? (target === undefined ? DEFAULT_LIMIT : Number.POSITIVE_INFINITY),
    lineLimit: limit,
    offset: Math.max(1, input.offset ?? 1),
    info: input.info ?? false,
    annotate: input.annotate ?? target === undefined,
    binary: input.binary ?? false,
    base64: input.base64 ?? false,
    target,
  };
}

const VIEWS = ["lines", "characters", "bytes", "search", "info", "binary"] as const;

function checkTogether(input: ReadInput): void {
  const views = VIEWS.filter((view) => input[view] !== undefined && input[view] !== false);
  if (views.length > 1)
    throw conflict(views[1] ?? "", `${views.join(" and ")} do not go together; give one of them`);
  const pages = input.offset !== undefined || input.limit !== undefined;
  const range = (["lines", "characters", "bytes"] as const).find((view) => input[view] !== undefined);
  if (pages && range !== undefined) {
    throw conflict(
      range,
      `${range} does not go together with offset and limit; its own from and to do the same`,
    );
  }
  if (input.base64 === true && views.some((view) => view !== "bytes")) {
    throw conflict("base64", `base64 goes together with bytes only, not with ${views.join(", ")}`);
  }
}

function lineRange({ from, to, last }: ReadLineRange): ReadRange {
  if (last === undefined) return checkedRange("lines", { from, to }) ?? {};
  if (from !== undefined || to !== undefined)
    throw conflict("lines", "lines.last does not go together with from and to");
  return { from: -last };
}

function checkedRange(name: string, range: ReadRange | undefined): ReadRange | undefined {
  if (range === undefined) return undefined;
  const { from, to } = range;
  if (to === 0) throw conflict(`${name}.to`, `${name}.to is 0; positions count from 1`);
  if (from !== undefined && to !== undefined && from > 0 === to > 0 && from > to) {
    throw conflict(name, `${name}.from (${from}) lies after ${name}.to (${to})`);
  }
  return { ...(from === undefined || from === 0 ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function searchRequest({ text, regex, ...search }: ReadSearch): SearchRequest {
  if ((text === undefined) === (regex === undefined)) {
    throw conflict("search", "search needs text or regex, and not both");
  }
  return {
    needle: text === undefined ? { regex: regex ?? "" } : { text },
    ignoreCase: search.ignoreCase ?? false,
    invert: search.invert ?? false,
    before: search.before ?? 0,
    after: search.after ?? 0,
  };
}

function patternList(name: string, patterns: string | readonly string[] | undefined): readonly string[] {
  const list = patterns === undefined ? [] : typeof patterns === "string" ? [patterns] : patterns;
  const negative = list.find((pattern) => pattern.startsWith("!"));
  if (negative !== undefined) {
    throw conflict(name, `${name} "${negative}" begins with !; put what is not wanted in exclude, without !`);
  }
  return list;
}

function conflict(argument: string, problem: string): ToolError<"usage"> {
  return new ToolError("usage", `${problem}.`, { argument });
}
