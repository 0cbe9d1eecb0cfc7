import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Files } from "@ashlar/context/tool";
import { type ContentReference, contentReferences, previewAround } from "./content-reference.js";
import { isInside } from "./path-guard.js";
import { type PermissionAsker, requirePermission } from "./permission.js";
import { shownName } from "./shown-name.js";

/** What is written, and where. */
export interface ContentSubject {
  /** The argument that holds it, for messages. */
  readonly argument: string;
  readonly text: string;
  /** What the file held before; paths that stand there already are not asked about again. */
  readonly before: string;
  /** Absolute path of the folder of the file: relative paths start there. */
  readonly folder: string;
  readonly shown: string;
}

export interface ContentPlaces {
  /** The project, as it was opened and as it really is. */
  readonly projects: readonly string[];
}

/**
 * Finds paths that would only work on this machine: existing ones outside the project, and absolute ones in it. Throws
 * kind `refused` unless a person allows them.
 */
export async function checkContent(
  files: Files,
  subject: ContentSubject,
  places: ContentPlaces,
  asker: PermissionAsker,
): Promise<void> {
  const known = new Set(
    subject.before === "" ? [] : contentReferences(subject.before).map(({ path }) => path),
  );
  const hits: string[] = [];
  let first: ContentReference | undefined;
  for (const reference of contentReferences(subject.text)) {
    if (known.has(reference.path)) continue;
    known.add(reference.path);
    const hit = await hitOf(files, reference, { subject, places });
    if (hit === undefined) continue;
    first ??= reference;
    hits.push(hit);
  }
  if (first === undefined) return;
  const more = hits.length > 3 ? ` and ${hits.length - 3} more` : "";
  await requirePermission(
    {
      problem: `${subject.argument} of ${shownName(subject.shown)} names ${hits.slice(0, 3).join(", ")}${more}`,
      otherwise: "Use a path relative to the file, or a setting.",
      path: subject.shown,
      reason: "content",
      preview: previewAround(subject.text, first.line),
    },
    asker,
  );
}

interface HitScope {
  readonly subject: ContentSubject;
  readonly places: ContentPlaces;
}

async function hitOf(
  files: Files,
  { path, kind, line }: ContentReference,
  { subject, places }: HitScope,
): Promise<string | undefined> {
  const target = kind === "home" ? join(homedir(), path.slice(2)) : resolve(subject.folder, path);
  const inside = places.projects.some((project) => isInside(project, target));
  if (inside ? kind === "relative" : isTemporary(target)) return undefined;
  // What cannot be looked at cannot be told to exist.
  const exists = await files.lstat(target).then(
    () => true,
    () => false,
  );
  if (!exists) return undefined;
  const why = inside ? "absolute, inside the project" : "outside the project";
  return `${shownName(path)} in line ${line} (${why})`;
}

function isTemporary(path: string): boolean {
  return [tmpdir(), "/tmp", "/var/tmp", "/private/tmp"].some((root) => isInside(root, path));
}
