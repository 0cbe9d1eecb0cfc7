import type { ToolEnv, ToolSkill } from "@ashlar/context/tool";
import { cutStart } from "../text-cut.js";

const MAX_DESCRIPTION = 240;
const MAX_PUBLISHED = 8_000;
const MAX_LISTED = 48_000;

/** What the description of the tool says of the skills that are known, within its bounds. */
export function publishedSkills({ knownSkills = [] }: Pick<ToolEnv, "knownSkills">): string {
  const skills = knownSkills.filter(({ forModel }) => forModel);
  if (skills.length === 0) return "No skill is known here now.";
  return `Skills:\n${listText(skills, MAX_PUBLISHED)}`;
}

/** All skills for a model that asked. */
export function listedSkills(skills: readonly ToolSkill[]): string {
  const shown = skills.filter(({ forModel }) => forModel);
  return shown.length === 0 ? "[There are no skills.]" : listText(shown, MAX_LISTED);
}

function listText(skills: readonly ToolSkill[], maxCharacters: number): string {
  const lines: string[] = [];
  let size = 0;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${cut(description, MAX_DESCRIPTION)}`;
    size += line.length + 1;
    if (size > maxCharacters) break;
    lines.push(line);
  }
  const left = skills.length - lines.length;
  if (left > 0) {
    const names = skills.slice(lines.length).map(({ name }) => name);
    lines.push(`[${left} more: ${cut(names.join(", "), 1_000)}]`);
  }
  return lines.join("\n");
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${cutStart(text, length - 1)}…`;
}
