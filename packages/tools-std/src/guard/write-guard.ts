import { dirname } from "node:path";
import type { FileStat, Files, ToolContext } from "@ashlar/context/tool";
import { ToolError } from "../tool-error.js";
import { type CredentialPlaces, holdsCredentials } from "./credential-guard.js";
import { codeOf, unreadable, unwritable } from "./file-failure.js";
import { type GuardedPath, guardPath, isInside, shownPath } from "./path-guard.js";
import { type PermissionAsker, requirePermission } from "./permission.js";
import { protectionOf } from "./protected-path.js";
import { shownName } from "./shown-name.js";
import { credentialPlaces } from "./user-folders.js";

/** A path that this call may write. */
export interface WritablePath extends GuardedPath {
  /** What is there now; undefined when nothing is. */
  readonly stat: FileStat | undefined;
}

export interface WriteRequest {
  readonly tool: string;
  readonly path: string;
  /** The first lines of what is to be written. */
  readonly preview: string;
}

/** Throws kind `refused` where nothing may be changed. */
export function requireWriting(tool: string, { safe }: ToolContext): void {
  if (!safe) return;
  throw new ToolError("refused", `${tool} was not run: nothing may be changed here.`, {
    reason: "read-only",
  });
}

/**
 * Where a path of a model really leads, and whether this call may write there: in the agent's folder, a regular file
 * or nothing yet, under one name only, not protected.
 */
export async function guardWrite(
  files: Files,
  { tool, path, preview }: WriteRequest,
  context: ToolContext,
  asker: PermissionAsker,
): Promise<WritablePath> {
  requireWriting(tool, context);
  const guarded = await guardPath(files, path, { folder: context.agent.folder, project: context.env.cwd });
  const folder = await files.realpath(context.agent.folder);
  const { real, shown } = guarded;
  if (!isInside(folder, real)) {
    throw new ToolError(
      "outside",
      `${shownName(path)} leads to ${shownName(real)}; this agent may write in ${shownName(folder)} only.`,
      { path, target: real },
    );
  }
  const project = await files.realpath(context.env.cwd);
  const stat = await statOf(files, guarded);
  await checkPlace(files, { guarded, stat, places: await credentialPlaces(files, project) });
  const protection = isInside(project, real) ? protectionOf(shownPath(project, real)) : undefined;
  if (protection?.kind === "refused")
    throw refused(shown, `is not written by tools: ${protection.reason}`, "protected");
  if (protection?.kind === "ask") {
    await requirePermission(
      {
        problem: `${shownName(shown)} needs a person's consent: ${protection.reason}`,
        otherwise: "Leave it as it is and say in your answer what you would change.",
        path: shown,
        reason: "protected",
        preview,
      },
      asker,
    );
  }
  return { ...guarded, stat };
}

async function statOf(files: Files, { real, shown }: GuardedPath): Promise<FileStat | undefined> {
  try {
    return await files.lstat(real);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw unreadable(shown, cause);
  }
}

interface Place {
  readonly guarded: GuardedPath;
  readonly stat: FileStat | undefined;
  readonly places: CredentialPlaces;
}

async function checkPlace(files: Files, { guarded, stat, places }: Place): Promise<void> {
  const { real, shown } = guarded;
  if (stat === undefined) return;
  if (stat.kind === "directory") throw refused(shown, "is a folder, not a file", "directory");
  if (stat.kind !== "file") throw refused(shown, `is no regular file (${stat.kind})`, stat.kind);
  if (await holdsCredentials(files, { real, stat, places })) {
    throw refused(shown, "holds credentials and is never written by tools", "credentials");
  }
  if (stat.links > 1) {
    throw refused(
      shown,
      `has ${stat.links} names (hard links), and the others may lie outside the project; copy it to a new file and move that into its place`,
      "hard link",
    );
  }
  if ((stat.mode & 0o200) === 0) {
    throw refused(shown, `is read-only (mode ${(stat.mode & 0o777).toString(8)})`, "read-only file");
  }
}

function refused(shown: string, problem: string, reason: string): ToolError<"refused"> {
  return new ToolError("refused", `${shownName(shown)} ${problem}.`, { path: shown, reason });
}

/**
 * Puts bytes in the place that was guarded, folders above it included. Nothing is written when the place is no longer
 * what it was when it was checked.
 */
export async function putFile(files: Files, path: WritablePath, bytes: Uint8Array): Promise<void> {
  const { real, shown, stat } = path;
  try {
    if (stat === undefined) await files.createFolder(dirname(real));
    await checkSame(files, path);
    await files.write(real, bytes, stat === undefined ? { exclusive: true } : {});
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw codeOf(cause) === "EEXIST" ? changed(shown) : unwritable(shown, cause);
  }
}

/** Removes the file that was guarded, unless it is no longer what it was. */
export async function removeFile(files: Files, path: WritablePath): Promise<void> {
  try {
    await checkSame(files, path);
    await files.remove(path.real);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw codeOf(cause) === "ENOENT" ? changed(path.shown) : unwritable(path.shown, cause);
  }
}

async function checkSame(files: Files, path: WritablePath): Promise<void> {
  const folder = dirname(path.real);
  if ((await files.realpath(folder)) !== folder) throw changed(path.shown);
  if (!sameFile(path.stat, await statOf(files, path))) throw changed(path.shown);
}

function sameFile(before: FileStat | undefined, now: FileStat | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return before.identity === now.identity && before.size === now.size && before.mtimeMs === now.mtimeMs;
}

function changed(shown: string): ToolError<"changed"> {
  return new ToolError(
    "changed",
    `${shownName(shown)} was changed by something else meanwhile; nothing was written. Read it again.`,
    { path: shown },
  );
}
