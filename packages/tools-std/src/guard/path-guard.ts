import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { ToolError } from "../tool-error.js";
import { codeOf, unreadable } from "./file-failure.js";
import type { LinkFiles } from "./link-files.js";
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
export async function guardPath(files: LinkFiles, path: string, roots: PathRoots): Promise<GuardedPath> {
  checkText(path);
  const project = await files.realpath(roots.project);
  const folder = roots.folder === roots.project ? project : await files.realpath(roots.folder);
  const start = isAbsolute(path) ? parse(path).root : folder;
  const { real, missing } = await follow({ files, path }, start, path);
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
  readonly files: LinkFiles;
  /** As the caller spelled it, for messages. */
  readonly path: string;
}

interface Place {
  readonly real: string;
  readonly missing: boolean;
}

async function follow(walk: Walk, start: string, path: string, links = 0): Promise<Place> {
  let real = start;
  const parts = path
    .slice(isAbsolute(path) ? parse(path).root.length : 0)
    .split(sep === "\\" ? /[\\/]/ : sep);
  for (const [index, part] of parts.entries()) {
    if (part === "" || part === ".") continue;
    const next = part === ".." ? dirname(real) : join(real, part);
    const kind = part === ".." ? "directory" : await kindAt(walk, next);
    const rest = parts.slice(index + 1);
    if (kind === undefined) return { real: resolve(next, ...rest), missing: true };
    if (kind !== "link") real = next;
    else {
      const target = await linkTarget(walk, next, links);
      if (target.missing) return { real: resolve(target.real, ...rest), missing: true };
      real = target.real;
    }
  }
  return { real, missing: false };
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
async function linkTarget(walk: Walk, link: string, links: number): Promise<Place> {
  const { files, path } = walk;
  if (links >= MAX_LINKS)
    throw new ToolError("unreadable", `${shownName(path)} goes round in links.`, { path, code: "ELOOP" });
  try {
    return { real: await files.realpath(link), missing: false };
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw unreadable(path, cause);
    const target = await files.readlink?.(link);
    if (target === undefined) {
      throw new ToolError("missing", `${shownName(path)} is a link to something that does not exist.`, {
        path,
      });
    }
    return follow(walk, isAbsolute(target) ? parse(target).root : dirname(link), target, links + 1);
  }
}
