import { join } from "node:path";
import { openGuarded } from "../../guard/open-file.js";
import { shownPath } from "../../guard/path-guard.js";
import type { ReadScope } from "../read-scope.js";
import { readBytes } from "../text/file-chunks.js";
import { decodeText } from "../text/text-decoding.js";

const IGNORE_FILE = ".gitignore";
const MAX_BYTES = 256 * 1024;

/** The lines of one ignore file and the real path of its folder. */
export interface IgnoreFile {
  readonly folder: string;
  readonly rules: readonly string[];
}

/** The ignore file of a folder, or undefined when it has none that can be read. */
export async function loadIgnoreFile(folder: string, scope: ReadScope): Promise<IgnoreFile | undefined> {
  const real = join(folder, IGNORE_FILE);
  const path = { real, shown: shownPath(scope.project, real), missing: false };
  // No such file, or none that may be read: nothing is ignored on its account.
  const opened = await openGuarded(scope.files, path, scope.places).catch(() => undefined);
  if (opened === undefined) return undefined;
  try {
    const bytes = await readBytes(opened.file, 0, Math.min(MAX_BYTES, opened.stat.size));
    return { folder, rules: decodeText(bytes).text.split(/\r?\n/) };
  } finally {
    await opened.file.close();
  }
}

/** The ignore files that hold for a folder: from the project down to it. */
export async function ignoreFilesAbove(folder: string, scope: ReadScope): Promise<readonly IgnoreFile[]> {
  const inner = shownPath(scope.project, folder);
  const parts = inner === "." ? [] : inner.split("/");
  const folders = parts.map((_, index) => join(scope.project, ...parts.slice(0, index)));
  const found = await Promise.all(folders.map((above) => loadIgnoreFile(above, scope)));
  return found.filter((file) => file !== undefined);
}

export interface IgnoreCandidate {
  readonly real: string;
  readonly isFolder: boolean;
}

/** Which of these entries are left out. The ignore file nearest to them decides. */
export async function ignoredEntries(
  entries: readonly IgnoreCandidate[],
  files: readonly IgnoreFile[],
  { patterns }: ReadScope,
): Promise<readonly boolean[]> {
  const decided = new Map<number, boolean>();
  for (const { folder, rules } of files.toReversed()) {
    const paths = entries.map(({ real, isFolder }) => `${shownPath(folder, real)}${isFolder ? "/" : ""}`);
    const verdicts = await patterns.ignored(rules, paths);
    verdicts.forEach((verdict, index) => {
      if (verdict !== "open" && !decided.has(index)) decided.set(index, verdict === "ignored");
    });
  }
  return entries.map((_, index) => decided.get(index) ?? false);
}
