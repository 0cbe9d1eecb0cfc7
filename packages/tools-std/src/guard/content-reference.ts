import { cutStart } from "../text-cut.js";

/** A path that stands in a text. */
export interface ContentReference {
  /** As it is written, without what only follows it. */
  readonly path: string;
  readonly kind: "absolute" | "home" | "relative";
  /** From 1. */
  readonly line: number;
}

/** Paths looked at in one text; whoever writes more of them has other plans than a slip. */
const MAX_REFERENCES = 1000;
// Begins where a word begins, so that neither the path of a web address nor a fraction counts; `file://` is no address.
const PATH =
  /(?:(?<=file:\/\/)|(?<![\p{L}\p{N}_.\-~:/\\$@%+}\])]))(?:~|\.\.?)?\/[^\s"'`<>|;:,()[\]{}*?$\\!&#=]+/gu;

/**
 * The paths in a text that may lead out of a project: absolute ones, those from the home folder, those that step up.
 * Left out: the first line's `#!`, device files, paths that are resolved from the module itself.
 */
export function contentReferences(text: string): readonly ContentReference[] {
  if (!text.includes("/")) return [];
  const found: ContentReference[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (!line.includes("/") || (index === 0 && /^\ufeff?#!/.test(line))) continue;
    for (const [match] of line.matchAll(PATH)) {
      const reference = referenceOf(match, index + 1);
      if (reference !== undefined && !exempt(reference, line)) found.push(reference);
      if (found.length >= MAX_REFERENCES) return found;
    }
  }
  return found;
}

function referenceOf(match: string, line: number): ContentReference | undefined {
  const path = match.replace(/[./]+$/, "");
  if (path.startsWith("~/")) return { path, kind: "home", line };
  if (/^\.\.?\//.test(match)) return { path: path === "" ? match : path, kind: "relative", line };
  // One name below the root is as often an address on a server as a folder.
  return /^\/[^/]+\/+[^/]/.test(path) ? { path, kind: "absolute", line } : undefined;
}

function exempt({ path, kind }: ContentReference, line: string): boolean {
  if (kind === "relative") return line.includes("import.meta.url");
  return kind === "absolute" && /^\/dev(?:\/|$)/.test(path);
}

/** Five lines around one of them, numbered. */
export function previewAround(text: string, line: number): string {
  const lines = text.split("\n");
  const first = Math.max(1, Math.min(line - 2, lines.length - 4));
  return lines
    .slice(first - 1, first + 4)
    .map(
      (content, index) => `${first + index === line ? ">" : " "} ${first + index}\t${cutStart(content, 200)}`,
    )
    .join("\n");
}
