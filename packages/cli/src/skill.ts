import { parse } from "yaml";

export interface SkillHeader {
  readonly name: string;
  readonly description: string;
}

/**
 * The header of a SKILL.md (agentskills.io): YAML between two `---` lines, with `name` and `description`.
 * Throws an Error that says what is wrong; foreign keys are fine.
 */
export function parseSkillHeader(text: string): SkillHeader {
  const header = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(text)?.[1];
  if (header === undefined) throw new Error("it does not begin with a header between two --- lines");
  const data: unknown = parse(header.replaceAll("\r\n", "\n"));
  if (typeof data !== "object" || data === null) throw new Error("its header is not a list of keys");
  const name = "name" in data ? data.name : undefined;
  const description = "description" in data ? data.description : undefined;
  if (typeof name !== "string" || name === "") throw new Error("its header has no name");
  if (typeof description !== "string" || description === "") throw new Error("its header has no description");
  return { name, description: description.trim() };
}
