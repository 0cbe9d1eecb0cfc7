import type { Question } from "../question.js";
import type { Reply } from "../reply.js";
import { saying } from "./spoken.js";

const FALLBACK_FILES = ["README.md", "package.json"];
/** A path with a file ending. */
const FILE_NAME = /(?<![\w@./-])[\w@./-]*[\w-]\.[a-z]\w{0,9}\b/i;

/** Calls `read` on the file that the prompt names, or else on README.md, then package.json; then quotes what came back. */
export function reading({ prompt, tools, results }: Question): Reply {
  if (!tools.includes("read")) return saying("I was given no `read` tool, so I cannot read a file.");
  const last = results.at(-1);
  const named = FILE_NAME.exec(prompt)?.[0];
  const files = [...new Set([...(named === undefined ? [] : [named]), ...FALLBACK_FILES])];
  const next = files[results.length];
  const failed = last !== undefined && /\b(not found|no such file|ENOENT|does not exist)\b/i.test(last.text);
  if (last === undefined || (failed && next !== undefined)) {
    return saying({ call: { name: "read", arguments: { path: next } } });
  }
  return saying(`The first line of ${pathOf(last.arguments)} is: ${firstLine(last.text)}`);
}

export function pathOf(args: unknown): string {
  const path = typeof args === "object" && args !== null && "path" in args ? args.path : undefined;
  return typeof path === "string" ? path : "the file";
}

/** The first line with a letter or digit in it, without the number that tools put before it. */
export function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^\s*\d+\t/, "").trim());
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line))?.slice(0, 200) ?? "(empty)";
}
