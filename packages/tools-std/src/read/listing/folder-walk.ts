import { basename, join } from "node:path";
import type { FileKind } from "@ashlar/context/tool";
import { unreadable } from "../../guard/file-failure.js";
import type { GuardedPath } from "../../guard/path-guard.js";
import { shownPath } from "../../guard/path-guard.js";
import type { ReadScope } from "../read-scope.js";
import { type IgnoreFile, ignoredEntries, ignoreFilesAbove, loadIgnoreFile } from "./ignore-files.js";
import { judgePaths } from "./path-filter.js";

export interface WalkEntry {
  /** Absolute; the folders on the way are real, the entry itself may be a link. */
  readonly real: string;
  readonly shown: string;
  readonly kind: FileKind;
}

export interface FolderWalk {
  readonly root: GuardedPath;
  readonly scope: ReadScope;
  /** Called for each folder that could not be listed. */
  readonly onUnreadable: (shown: string) => void;
}

/** The entries of a folder, in the order of their names, each folder before what is in it. Links are never followed. */
export async function* walkFolder(walk: FolderWalk): AsyncGenerator<WalkEntry> {
  const { root, scope } = walk;
  const ignores = scope.request.ignore ? await ignoreFilesAbove(root.real, scope) : [];
  yield* walkInto(root.real, ignores, walk);
}

async function* walkInto(
  folder: string,
  above: readonly IgnoreFile[],
  walk: FolderWalk,
): AsyncGenerator<WalkEntry> {
  const { scope } = walk;
  const ignores = await withOwnIgnores(folder, above, scope);
  const entries = await listEntries(folder, walk);
  const kept = await withoutIgnored(entries, ignores, scope);
  const paths = kept.map(({ real }) => shownPath(walk.root.real, real));
  const verdicts = await judgePaths(paths, scope);
  for (const [index, entry] of kept.entries()) {
    if (!scope.meter.takeEntry()) return;
    const verdict = verdicts[index];
    if (verdict === "excluded") continue;
    if (verdict === "shown") yield entry;
    if (scope.request.recursive && isEntered(entry)) yield* walkInto(entry.real, ignores, walk);
    if (scope.meter.exhausted !== undefined) return;
  }
}

/** Git's own files would use up every limit; they are read by asking for them. */
function isEntered({ kind, real }: WalkEntry): boolean {
  return kind === "directory" && basename(real) !== ".git";
}

async function listEntries(
  folder: string,
  { root, scope, onUnreadable }: FolderWalk,
): Promise<readonly WalkEntry[]> {
  try {
    // Somebody may have put a link in the place of this folder.
    if ((await scope.files.realpath(folder)) !== folder) return [];
    const entries = await scope.files.list(folder);
    return entries
      .map(({ name, kind }) => ({ name, kind, real: join(folder, name) }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map(({ real, kind }) => ({ real, kind, shown: shownPath(scope.project, real) }));
  } catch (cause) {
    if (folder === root.real) throw unreadable(root.shown, cause);
    onUnreadable(shownPath(scope.project, folder));
    return [];
  }
}

async function withOwnIgnores(
  folder: string,
  above: readonly IgnoreFile[],
  scope: ReadScope,
): Promise<readonly IgnoreFile[]> {
  const own = scope.request.ignore ? await loadIgnoreFile(folder, scope) : undefined;
  return own === undefined ? above : [...above, own];
}

async function withoutIgnored(
  entries: readonly WalkEntry[],
  ignores: readonly IgnoreFile[],
  scope: ReadScope,
): Promise<readonly WalkEntry[]> {
  if (!scope.request.ignore) return entries;
  const own = entries.filter(({ real, kind }) => !(kind === "directory" && basename(real) === ".git"));
  const candidates = own.map(({ real, kind }) => ({ real, isFolder: kind === "directory" }));
  const ignored = await ignoredEntries(candidates, ignores, scope);
  return own.filter((_, index) => ignored[index] !== true);
}
