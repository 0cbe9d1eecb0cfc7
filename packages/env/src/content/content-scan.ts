import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { ContentFileProblem, isMissing, problemOf, readContentText } from "./content-file.js";

/** A file of content as it was found: its text, or why it gives none. */
export interface FoundFile {
  /** Name of the skill's folder, or of the prompt's file without `.md`. */
  readonly name: string;
  readonly file: string;
  readonly text?: string;
  /** The rest of a sentence about the file. */
  readonly problem?: string;
  /** The problem leaves out a part only. */
  readonly partial?: true;
}

export interface ScanPlace {
  readonly folder: string;
  /** Real paths that a folder behind a link may lie in. */
  readonly within: readonly string[];
}

/** Bytes of a SKILL.md or a prompt. */
const MAX_TEXT_BYTES = 262_144;
const MAX_ENTRIES = 2_000;
const AT_ONCE = 16;
const SKILL = "SKILL.md";

/** The SKILL.md of each folder of a skills folder, in the order of the names. A folder that is not there gives nothing. */
export async function scanSkills(place: ScanPlace): Promise<readonly FoundFile[]> {
  return scan(place.folder, async (entry) => {
    const path = join(place.folder, entry.name);
    if (entry.isFile())
      return /\.md$/i.test(entry.name) && !/^readme\.md$/i.test(entry.name)
        ? { name: entry.name, file: path, problem: "a skill is a folder with a SKILL.md in it, not a file" }
        : undefined;
    if (!entry.isDirectory() && !entry.isSymbolicLink()) return undefined;
    const problem = entry.isSymbolicLink() ? await linkProblem(path, place.within) : undefined;
    if (problem !== undefined) return { name: entry.name, file: path, problem };
    return readFound(entry.name, join(path, SKILL));
  });
}

/** The prompts of a folder, in the order of the names. A folder that is not there gives nothing. */
export async function scanPrompts({ folder }: ScanPlace): Promise<readonly FoundFile[]> {
  return scan(folder, async ({ name }) =>
    name.endsWith(".md") ? readFound(name.slice(0, -".md".length), join(folder, name)) : undefined,
  );
}

async function scan(
  folder: string,
  look: (entry: Dirent) => Promise<FoundFile | undefined>,
): Promise<readonly FoundFile[]> {
  const entries = await entriesOf(folder);
  if (!Array.isArray(entries)) return [{ name: "", file: folder, problem: entries }];
  const seen = entries.filter(({ name }) => !name.startsWith(".")).sort(byName);
  const found: FoundFile[] = [];
  for (let start = 0; start < Math.min(seen.length, MAX_ENTRIES); start += AT_ONCE) {
    const looks = await Promise.all(seen.slice(start, Math.min(start + AT_ONCE, MAX_ENTRIES)).map(look));
    found.push(...looks.filter((one) => one !== undefined));
  }
  if (seen.length > MAX_ENTRIES) {
    const problem = `it has ${seen.length} entries; only the first ${MAX_ENTRIES} are looked at`;
    found.push({ name: "", file: folder, problem, partial: true });
  }
  return found;
}

async function entriesOf(folder: string): Promise<Dirent[] | string> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return isMissing(error) ? [] : problemOf(error);
  }
}

function byName({ name: one }: Dirent, { name: other }: Dirent): number {
  return one < other ? -1 : 1;
}

/** Why a link to a folder is not followed; undefined when it stays where content lies. */
async function linkProblem(link: string, within: readonly string[]): Promise<string | undefined> {
  try {
    const real = await realpath(link);
    if (!(await stat(real)).isDirectory()) return "it is a link to something that is no folder";
    if (within.some((root) => real.startsWith(root + sep))) return undefined;
    return `it is a link that leads to ${real}, and links are not followed out of ${within.join(" or ")}`;
  } catch (error) {
    return isMissing(error) ? "it is a link that leads nowhere" : problemOf(error);
  }
}

async function readFound(name: string, file: string): Promise<FoundFile> {
  try {
    return { name, file, text: await readContentText(file, MAX_TEXT_BYTES) };
  } catch (error) {
    if (error instanceof ContentFileProblem) return { name, file, problem: error.message };
    throw error;
  }
}
