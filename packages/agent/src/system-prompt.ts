import { readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { AgentError } from "./agent-error.js";

export interface SystemPromptSources {
  /** The setting `system`: a text, or the path of a file. */
  readonly system: string | undefined;
  /** Where a relative path of that setting starts. */
  readonly base: string;
  /** Files that may be missing, in the order they are read. */
  readonly files: readonly string[];
  /** Puts skills in the place of `{{name}}`. */
  readonly expand: (text: string) => Promise<string>;
}

const INSTRUCTIONS = "AGENTS.md";

/** The instruction files of a user and a project. */
export function instructionFiles(folders: readonly (string | undefined)[]): readonly string[] {
  return folders.filter((folder) => folder !== undefined).map((folder) => join(folder, INSTRUCTIONS));
}

/** The texts a new conversation starts with, read now. The same file counts once, blank ones not at all. */
export async function readSystemPrompt({
  system,
  base,
  files,
  expand,
}: SystemPromptSources): Promise<readonly string[]> {
  const seen = new Set<string>();
  const texts: string[] = [];
  const take = async (file: string): Promise<boolean> => {
    const found = await readText(file);
    if (found === undefined) return false;
    const isNew = !seen.has(found.path);
    seen.add(found.path);
    if (isNew && found.text.trim() !== "") texts.push(await expandNamed(file, found.text.trim(), expand));
    return true;
  };
  if (system !== undefined && !looksLikePath(system)) texts.push(await expandNamed("system", system, expand));
  else if (system !== undefined && !(await take(pathFrom(system, base)))) {
    throw new AgentError("settings", `system: there is no file ${pathFrom(system, base)}.`, {
      key: "system",
    });
  }
  for (const file of files) await take(file);
  return texts;
}

/** Throws kind `settings`, naming where the text comes from. */
async function expandNamed(
  where: string,
  text: string,
  expand: SystemPromptSources["expand"],
): Promise<string> {
  try {
    return await expand(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AgentError(
      "settings",
      `${where}: a skill cannot be included: ${reason}`,
      { key: "system" },
      { cause },
    );
  }
}

/** One word that holds a slash or ends like a text file. */
function looksLikePath(system: string): boolean {
  return !/\s/u.test(system.trim()) && /\/|\.(?:md|txt)$/iu.test(system.trim());
}

function pathFrom(system: string, base: string): string {
  const path = system.trim();
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : join(base, path);
}

async function readText(file: string): Promise<{ readonly path: string; readonly text: string } | undefined> {
  try {
    // Most of these files are missing, which a read says at once.
    const text = await readFile(file, "utf8");
    return { path: await realpath(file), text };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
    throw error;
  }
}
