import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { withEnv } from "../open-env.js";
import { parseSkillHeader } from "../skill.js";
import type { Terminal } from "../terminal.js";

const FILE = "SKILL.md";

/** Lists skills, the project's over the user's of the same name; a file that cannot be used is said on stderr. */
export async function skillsCommand(terminal: Terminal): Promise<number> {
  return withEnv(terminal, {}, async ({ cwd, folders }) => {
    const roots = [join(folders.config, "skills"), join(cwd, ".agents/skills"), join(cwd, "ai-skills")];
    const found = new Map<string, string>();
    for (const root of roots) {
      for (const folder of await foldersOf(root)) await addSkill(join(root, folder, FILE), found, terminal);
    }
    for (const [name, line] of found) terminal.out.write(`${name}  ${line}\n`);
    return 0;
  });
}

async function foldersOf(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function addSkill(file: string, found: Map<string, string>, terminal: Terminal): Promise<void> {
  try {
    const { name, description } = parseSkillHeader(await readFile(file, "utf8"));
    found.set(name, `${description.replaceAll(/\s+/g, " ")}  (${file})`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err.write(`ashlar: ${file}: ${isMissing(error) ? "there is no such file" : reason}\n`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
