import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Env } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { PINNED_PLACES } from "../isolation/isolation-policy.js";

/** What tools never change, and what they change only when a person agreed. */
const NO_WORKPLACES: ReadonlySet<string> = new Set([
  ...PINNED_PLACES.map((place) => place.split("/")[0] ?? place),
  "ai-skills",
  "ai-prompts",
  ".agents",
]);

/**
 * The real path of the folder that an agent is to work in: `within`, the parent's, or a folder in it. Throws kind `usage`
 * for one that is not there, leads out, or holds what is no tool's business.
 */
export function workFolder(
  env: Pick<Env, "cwd" | "folders">,
  folder: string | undefined,
  within: string = env.cwd,
): string {
  if (folder === undefined) return within;
  const { cwd: project, folders } = env;
  const found = realFolder(resolve(within, folder));
  const wrong = (why: string): AgentError<"usage"> =>
    new AgentError("usage", `folder: ${JSON.stringify(folder)} ${why}`, { argument: "folder" });
  if (found === undefined) throw wrong(`is no folder. Make it first; it is looked for in ${within}.`);
  if (!isInside(found, within)) throw wrong(`leads to ${found}, which is not inside ${within}.`);
  const [first = "", ...rest] = relative(project, found).split(sep);
  if (NO_WORKPLACES.has(first) || rest.includes(".git"))
    throw wrong("holds what decides what others run; no agent works there.");
  const privateFolders = [folders.config, folders.state, folders.data];
  if (found !== within && privateFolders.some((place) => isInside(found, place)))
    throw wrong("belongs to the user's settings and sessions; no agent works there.");
  return found;
}

/** True for the folder itself, too. Both absolute and real. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
    throw error;
  }
}
