import { parseDocument } from "yaml";
import { entryText, type HeaderEntry, headerEntries, withoutTabs } from "./header-lines.js";
import { HeaderRefusal, type HeaderValue, headerValue } from "./header-value.js";

export type { HeaderValue };

export interface FrontmatterProblem {
  /**
   * `unclosed`: the header has no end. `size`: it is too long. `syntax`: a part of it could not be read and is missing.
   * `repaired`: a part was read as the text it seems to mean.
   */
  readonly kind: "unclosed" | "size" | "syntax" | "repaired";
  /** From 1. */
  readonly line: number;
  /** A sentence without its full stop. */
  readonly message: string;
}

/** A Markdown file with the keys at its head. */
export interface Frontmatter {
  /** The keys; undefined when the text has no header, or one that was not read at all. */
  readonly data: Readonly<Record<string, HeaderValue>> | undefined;
  /** What follows the header, with `\n` line ends; the whole text when there is no header to take off. */
  readonly body: string;
  readonly problems: readonly FrontmatterProblem[];
}

/** UTF-16 units of a header. */
const MAX_HEADER = 65_536;
const FENCE = /^---[ \t]*$/;

/**
 * Reads the YAML between two lines `---` at the head of a text. Pure; never throws. Byte order mark, CRLF, tabs and
 * unquoted colons are taken; tags, anchors, aliases and a second document are not. One bad key hides no other.
 */
export function parseFrontmatter(text: string): Frontmatter {
  const whole = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const lines = whole.split("\n");
  const start = lines.findIndex((line) => line.trim() !== "");
  if (start < 0 || !FENCE.test(lines[start] ?? "")) return { data: undefined, body: whole, problems: [] };
  const end = lines.findIndex((line, index) => index > start && FENCE.test(line));
  if (end < 0) {
    const message = "the header begins with --- and has no second --- that ends it";
    return { data: undefined, body: whole, problems: [{ kind: "unclosed", line: start + 1, message }] };
  }
  const header = lines.slice(start + 1, end).join("\n");
  const body = lines.slice(end + 1).join("\n");
  if (header.length > MAX_HEADER) {
    const message = `the header has ${header.length} characters; at most ${MAX_HEADER} are read`;
    return { data: undefined, body, problems: [{ kind: "size", line: start + 1, message }] };
  }
  return { body, ...readHeader(header, start + 2) };
}

function readHeader(header: string, line: number): Pick<Frontmatter, "data" | "problems"> {
  const strict = strictKeys(header);
  const whole = "data" in strict ? strict : strictKeys(withoutTabs(header));
  return "data" in whole ? { data: whole.data, problems: [] } : readEntries(header, line);
}

/** Key by key, each for itself: what does not parse is taken as a line of text. */
function readEntries(header: string, first: number): Pick<Frontmatter, "data" | "problems"> {
  const { entries, stray } = headerEntries(header, first);
  const problems: FrontmatterProblem[] = stray.map((line) => ({
    kind: "syntax",
    line,
    message: `line ${line} is no "key: value", so it is left out`,
  }));
  const data = new Map<string, HeaderValue>();
  for (const entry of entries) {
    const { key, line } = entry;
    const read = readEntry(entry);
    if (data.has(key)) {
      problems.push({ kind: "syntax", line, message: `${key} stands there twice; the first counts` });
      continue;
    }
    if (read.problem !== undefined) problems.push(read.problem);
    if (read.value !== undefined) data.set(key, read.value);
  }
  return { data: Object.fromEntries(data), problems: problems.sort((one, other) => one.line - other.line) };
}

function readEntry(entry: HeaderEntry): {
  readonly value?: HeaderValue;
  readonly problem?: FrontmatterProblem;
} {
  const { key, line, text } = entry;
  const strict = strictKeys(withoutTabs(text));
  if ("data" in strict && Object.hasOwn(strict.data, key)) return { value: strict.data[key] ?? null };
  const meant = entryText(entry);
  // A list or a map that is broken means no text.
  if (/^(?:[|>][+\-\d]*(?:\s|$)|- )/.test(meant)) {
    const reason = "reason" in strict ? strict.reason : "it has another key";
    return { problem: { kind: "syntax", line, message: `${key} cannot be read: it ${reason}` } };
  }
  const message = `${key} is read as plain text, because it is no valid YAML; put it in quotes`;
  return { value: meant, problem: { kind: "repaired", line, message } };
}

type StrictKeys =
  | { readonly data: Readonly<Record<string, HeaderValue>> }
  /** The rest of a sentence. */
  | { readonly reason: string };

/** One YAML 1.2 document with keys and JSON values, or why it is none. */
function strictKeys(header: string): StrictKeys {
  if (/^%/m.test(header)) return { reason: "has a line that begins with %" };
  try {
    const document = parseDocument(header, { logLevel: "silent", prettyErrors: false, schema: "core" });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) return { reason: `is no valid YAML (${problem.message})` };
    const value = headerValue(document);
    if (value === null) return { data: {} };
    return isKeys(value) ? { data: value } : { reason: "is no list of keys" };
  } catch (error) {
    if (error instanceof HeaderRefusal) return { reason: error.message };
    // The parser recurses, and a header of brackets alone can exhaust the stack.
    if (error instanceof RangeError) return { reason: "nests too deeply" };
    throw error;
  }
}

function isKeys(value: HeaderValue): value is Readonly<Record<string, HeaderValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
