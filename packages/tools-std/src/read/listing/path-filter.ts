import type { ReadRequest } from "../read-request.js";
import type { Expression } from "../search/expression.js";
import type { PatternTester } from "../search/pattern-tester.js";

export const GLOB_GROUP = "glob";
export const EXCLUDE_GROUP = "exclude";

/** Glob patterns as regular expressions. A pattern without `/` matches in any folder. */
export async function globExpressions(patterns: readonly string[]): Promise<readonly Expression[]> {
  if (patterns.length === 0) return [];
  const { default: picomatch } = await import("picomatch");
  return patterns.map((pattern) => {
    const { source } = picomatch.makeRe(placed(pattern), { dot: true });
    // With `s` a star also stands for a line break, which a file name may have.
    return { source, flags: "s" };
  });
}

function placed(pattern: string): string {
  const plain = pattern.replace(/^(?:\.?\/)+/, "");
  return pattern.includes("/") ? plain : `**/${plain}`;
}

/** `excluded`: not shown and not entered; `passed`: entered, but not shown. */
export type PathVerdict = "shown" | "passed" | "excluded";

/** Judges the entries of one folder by `glob` and `exclude`; paths are relative to the folder that was asked for. */
export async function judgePaths(
  paths: readonly string[],
  { request, patterns }: { readonly request: ReadRequest; readonly patterns: PatternTester },
): Promise<readonly PathVerdict[]> {
  const excluded = request.exclude.length === 0 ? [] : await patterns.matches(EXCLUDE_GROUP, paths);
  const wanted = request.glob.length === 0 ? undefined : await patterns.matches(GLOB_GROUP, paths);
  return paths.map((_, index) => {
    if (excluded[index] === true) return "excluded";
    return wanted === undefined || wanted[index] === true ? "shown" : "passed";
  });
}
