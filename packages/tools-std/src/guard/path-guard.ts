import { dirname, isAbsolute, join, parse, relative, sep } from "node:path";
import type { Files } from "@ashlar/context/tool";
import { ToolError } from "../tool-error.js";
import { codeOf, unreadable } from "./file-failure.js";
import { shownName } from "./shown-name.js";

const MAX_PATH_LENGTH = 4096;
const MAX_LINKS = 40;

export interface PathRoots {
  /** Where relative paths start. */
  readonly folder: string;
  /** The project; results are shown relative to it. */
  readonly project: string;
}

export interface GuardedPath {
  /** Absolute, every link resolved. */
  readonly real: string;
  /** Relative to the project, with `/` between the parts; `.` is the project itself. */
  readonly shown: string;
  /** Nothing is there yet. */
  readonly missing: boolean;
}

/**
 * Where a path of a model really leads, part by part, also when it does not exist yet. Throws kind `outside` when that
 * is not in the project or the agent's folder, `usage` for what is no path, `unreadable` for a loop of links.
 */
export async function guardPath(files: Files, path: string, roots: PathRoots): Promise<GuardedPath> {
  checkText(path);
  const project = await files.realpath(roots.project);
  const folder = roots.folder === roots.project ? project : await files.realpath(roots.folder);
  const start = isAbsolute(path) ? parse(path).root : folder;
  const { real, missing } = await follow({ files, path, links: { left: MAX_LINKS } }, start, path);
  const root = [project, folder].find((allowed) => isInside(allowed, real));
  if (root === undefined) {
    throw new ToolError(
      "outside",
      `${shownName(path)} leads to ${shownName(real)}, which is outside the project ${shownName(project)}.`,
      { path, target: real },
    );
  }
  return { real, missing, shown: shownPath(root, real) };
}

/** `path` relative to `root`, with `/` between the parts. */
export function shownPath(root: string, path: string): string {
  const inner = relative(root, path);
  return inner === "" ? "." : inner.split(sep).join("/");
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function checkText(path: string): void {
  const problem =
    path === ""
      ? "is empty; . is the project itself"
      : path.includes("\0")
        ? "has a NUL character"
        : path.length > MAX_PATH_LENGTH
          ? `is longer than ${MAX_PATH_LENGTH} characters`
          : undefined;
  if (problem !== undefined) throw new ToolError("usage", `path ${problem}.`, { argument: "path" });
}

interface Walk {
  readonly files: Files;
  /** As the caller spelled it, for messages. */
  readonly path: string;
  /** All links on the way count together, or a few that name each other twice would never end. */
  readonly links: { left: number };
}

interface Place {
  readonly real: string;
  readonly missing: boolean;
}

async function follow(walk: Walk, start: string, path: string): Promise<Place> {
  let real = start;
  const parts = path
    .slice(isAbsolute(path) ? parse(path).root.length : 0)
    .split(sep === "\\" ? /[\\/]/ : sep);
  let missing = false;
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    const next = part === ".." ? dirname(real) : join(real, part);
    const kind = await kindAt(walk, next);
    // What is missing is stepped through by name; a later `..` may lead back to what exists, links and all.
    const place =
      kind === "link" ? await linkTarget(walk, next) : { real: next, missing: kind === undefined };
    real = place.real;
    missing = place.missing;
  }
  return { real, missing };
}

async function kindAt({ files, path }: Walk, at: string): Promise<string | undefined> {
  try {
    return (await files.lstat(at)).kind;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw unreadable(path, cause);
  }
}

/** Where a link ends. A link to something missing is followed by hand, so that its real target can be named. */
async function linkTarget(walk: Walk, link: string): Promise<Place> {
  const { files, path, links } = walk;
  links.left -= 1;
  if (links.left < 0) throw unreadable(path, Object.assign(new Error("too many links"), { code: "ELOOP" }));
  try {
    return { real: await files.realpath(link), missing: false };
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw unreadable(path, cause);
    const target = await files.readlink(link);
    return follow(walk, isAbsolute(target) ? parse(target).root : dirname(link), target);
  }
}
