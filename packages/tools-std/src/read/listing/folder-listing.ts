import { isCredentialPath } from "../../guard/credential-guard.js";
import { type GuardedPath, isInside, shownPath } from "../../guard/path-guard.js";
import { shownName } from "../../guard/shown-name.js";
import type { ReadScope } from "../read-scope.js";
import type { TextView } from "../text/text-view.js";
import { type WalkEntry, walkFolder } from "./folder-walk.js";

/** The entries of a folder, one a line: folders end in `/`, links show where they lead. */
export async function folderListing(root: GuardedPath, scope: ReadScope): Promise<TextView> {
  const { offset, limit } = scope.request;
  const unreadable: string[] = [];
  const rows: string[] = [];
  let bytes = 0;
  let seen = 0;
  let next: number | undefined;
  for await (const entry of walkFolder({ root, scope, onUnreadable: (shown) => unreadable.push(shown) })) {
    seen += 1;
    if (seen < offset) continue;
    const row = rows.length < limit ? await entryRow(entry, scope) : undefined;
    bytes += row === undefined ? 0 : Buffer.byteLength(row) + 1;
    if (row === undefined || bytes > scope.budget.outputBytes) {
      next = seen;
      break;
    }
    rows.push(row);
  }
  return {
    text: rows.join("\n"),
    notes: listingNotes({ root, rows: rows.length, seen, next, unreadable }, scope),
    partial: scope.meter.exhausted !== undefined || bytes > scope.budget.outputBytes,
  };
}

interface Listed {
  readonly root: GuardedPath;
  readonly rows: number;
  readonly seen: number;
  readonly next: number | undefined;
  readonly unreadable: readonly string[];
}

function listingNotes({ root, rows, seen, next, unreadable }: Listed, scope: ReadScope): readonly string[] {
  const { offset, glob, exclude, ignore } = scope.request;
  const stopped = scope.meter.incomplete();
  const filtered = glob.length > 0 || exclude.length > 0 || ignore;
  const nothing = `${shownName(root.shown)} ${filtered ? "has no entry that fits" : "is an empty folder"}.`;
  const empty = seen === 0 ? nothing : `There is no entry ${offset}: there are ${seen}.`;
  return [
    ...(rows === 0 && stopped === undefined ? [empty] : []),
    ...(next === undefined ? [] : [`Entries ${offset}-${next - 1} shown. Continue with offset: ${next}.`]),
    ...skippedNotes("folder", "folders", unreadable, "could not be listed"),
    ...(stopped === undefined ? [] : [stopped]),
  ];
}

/** `3 folders could not be listed: a, b, c.`; the first three are named. */
export function skippedNotes(
  one: string,
  many: string,
  names: readonly string[],
  why: string,
): readonly string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, 3).map(shownName).join(", ");
  const rest = names.length > 3 ? ", …" : "";
  return [`${names.length} ${names.length === 1 ? one : many} ${why}: ${named}${rest}`];
}

async function entryRow(entry: WalkEntry, scope: ReadScope): Promise<string> {
  const name = shownName(entry.shown);
  const facts = scope.request.info ? await entryFacts(entry, scope) : "";
  switch (entry.kind) {
    case "directory":
      return `${name}/${facts}`;
    case "file": {
      const credentials = isCredentialPath(entry.real, scope.places) ? " (credentials, not readable)" : "";
      return `${name}${credentials}${facts}`;
    }
    case "link":
      return `${name} -> ${await linkEnd(entry, scope)}`;
    default:
      return `${name} (${entry.kind})${facts}`;
  }
}

async function entryFacts({ real }: WalkEntry, { files }: ReadScope): Promise<string> {
  try {
    const { size, mtimeMs } = await files.lstat(real);
    return `\t${size} bytes\t${new Date(mtimeMs).toISOString()}`;
  } catch {
    // A name that is not UTF-8, or an entry that has just gone, has no facts to show.
    return "\t(gone, or a name that is not UTF-8)";
  }
}

async function linkEnd({ real }: WalkEntry, { files, project }: ReadScope): Promise<string> {
  try {
    const end = await files.realpath(real);
    return isInside(project, end) ? shownName(shownPath(project, end)) : "(outside the project)";
  } catch {
    // Dangling, or going round: either way there is nothing at its end.
    return "(nothing)";
  }
}
