import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { isMissing, problemOf } from "./content-file.js";
import type { ScanPlace } from "./content-scan.js";
import type { ContentKind, ContentRoot } from "./skill.js";

/** A folder of content that is to be scanned, or why it is not. */
export interface ContentPlace extends ScanPlace {
  readonly kind: ContentKind;
  readonly problem?: string;
}

/**
 * The folders of one kind of content, weakest first, each once: of one that is named twice, the stronger place counts. A
 * project's folder that is a link out of the project is refused; a user may keep his folders where he likes.
 */
export async function contentPlaces(
  roots: readonly ContentRoot[],
  what: "skills" | "prompts" | "hooks",
): Promise<readonly ContentPlace[]> {
  const looked = await Promise.all(roots.map((root) => placesOf(root, root[what])));
  const places = looked.flat();
  const isLast = ({ folder }: ContentPlace, index: number): boolean =>
    places.findLastIndex((other) => other.folder === folder) === index;
  return places.filter(isLast);
}

async function placesOf(
  { kind, path, named }: ContentRoot,
  folders: readonly string[],
): Promise<ContentPlace[]> {
  const real = await Promise.all(folders.map((folder) => realFolder(folder, named === true)));
  const isOwn = (folder: string): boolean => kind !== "project" || isBelow(path, folder);
  // Links are followed from one of these to another, so none may be a way out.
  const within = real.flatMap(({ folder }) => (folder !== undefined && isOwn(folder) ? [folder] : []));
  return real.flatMap(({ folder, problem, spelled }) => {
    if (folder === undefined)
      return problem === undefined ? [] : [{ kind, folder: spelled, within, problem }];
    if (isOwn(folder)) return [{ kind, folder, within }];
    return [
      { kind, folder: spelled, within, problem: `it is a link that leads out of the project, to ${folder}` },
    ];
  });
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Undefined where nothing is; a problem, too, where something should be. */
async function realFolder(
  spelled: string,
  named: boolean,
): Promise<{ readonly spelled: string; readonly folder?: string; readonly problem?: string }> {
  try {
    return { spelled, folder: await realpath(spelled) };
  } catch (error) {
    return isMissing(error) && !named ? { spelled } : { spelled, problem: problemOf(error) };
  }
}
