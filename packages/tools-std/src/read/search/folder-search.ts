import { isCredentialPath } from "../../guard/credential-guard.js";
import { openGuarded } from "../../guard/open-file.js";
import type { GuardedPath } from "../../guard/path-guard.js";
import { ToolError } from "../../tool-error.js";
import { contentOf, HEAD_BYTES } from "../file-kind.js";
import { skippedNotes } from "../listing/folder-listing.js";
import { type WalkEntry, walkFolder } from "../listing/folder-walk.js";
import type { SearchRequest } from "../read-request.js";
import type { ReadScope } from "../read-scope.js";
import { readBytes } from "../text/file-chunks.js";
import type { TextView } from "../text/text-view.js";
import { isPartialSearch, longNotes, matchNotes, newCollector } from "./file-search.js";
import { createLineMatcher, type LineMatcher } from "./line-matcher.js";
import { searchLines } from "./line-search.js";
import type { MatchCollector } from "./match-collector.js";

/** Files that were not searched, by reason. */
interface Skipped {
  readonly binary: string[];
  readonly large: string[];
  readonly credentials: string[];
  readonly unreadable: string[];
}

interface FolderSearch {
  readonly scope: ReadScope;
  readonly collector: MatchCollector;
  readonly matcher: LineMatcher;
  readonly skipped: Skipped;
}

/** The matching lines of all text files of a folder, under the names of their files. */
export async function searchFolder(
  root: GuardedPath,
  search: SearchRequest,
  scope: ReadScope,
): Promise<TextView> {
  const collector = newCollector(search, scope, true);
  const matcher = createLineMatcher(search, scope.patterns);
  const skipped: Skipped = { binary: [], large: [], credentials: [], unreadable: [] };
  const state = { scope, collector, matcher, skipped };
  let long = 0;
  for await (const entry of walkFolder({
    root,
    scope,
    onUnreadable: (shown) => skipped.unreadable.push(shown),
  })) {
    if (entry.kind !== "file") continue;
    if (!scope.meter.takeFile()) break;
    long += await searchEntry(entry, state);
    if (collector.more || scope.meter.exhausted !== undefined) break;
  }
  const notes = [...matchNotes(collector, scope), ...longNotes(long), ...notesOf(skipped, scope)];
  return { text: collector.text, notes, partial: isPartialSearch(collector, scope) || long > 0 };
}

async function searchEntry(
  entry: WalkEntry,
  { scope, collector, matcher, skipped }: FolderSearch,
): Promise<number> {
  const { shown, real } = entry;
  if (isCredentialPath(real, scope.places)) {
    skipped.credentials.push(shown);
    return 0;
  }
  const opened = await openGuarded(scope.files, { real, shown, missing: false }, scope.places).catch(
    (cause: unknown) => {
      if (!(cause instanceof ToolError)) throw cause;
      (cause.kind === "refused" ? skipped.credentials : skipped.unreadable).push(shown);
      return undefined;
    },
  );
  if (opened === undefined) return 0;
  const { file, stat } = opened;
  try {
    if (stat.size > scope.budget.grepFileSizeLimit) {
      skipped.large.push(shown);
      return 0;
    }
    if (contentOf(await readBytes(file, 0, HEAD_BYTES), real).kind !== "text") {
      skipped.binary.push(shown);
      return 0;
    }
    collector.beginFile(shown);
    return await searchLines({ file, matcher, collector, meter: scope.meter });
  } finally {
    await file.close();
  }
}

function notesOf(
  { binary, large, credentials, unreadable }: Skipped,
  { budget }: ReadScope,
): readonly string[] {
  const { grepFileSizeLimit: limit } = budget;
  return [
    ...skippedNotes("binary file", "binary files", binary, "not searched"),
    ...skippedNotes(
      "file",
      "files",
      large,
      `larger than ${limit} bytes not searched (search it by its own path)`,
    ),
    ...skippedNotes("credential file", "credential files", credentials, "not searched"),
    ...skippedNotes("path", "paths", unreadable, "could not be read"),
  ];
}
