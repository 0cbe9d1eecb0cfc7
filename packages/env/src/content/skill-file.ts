import { isContentName, NAME_RULE } from "./content-name.js";
import { oneLine, trimmedBody } from "./content-text.js";
import { type Frontmatter, type HeaderValue, parseFrontmatter } from "./frontmatter.js";

/** What a SKILL.md says, its includes as they stand. */
export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly forModel: boolean;
  readonly metadata: Readonly<Record<string, HeaderValue>>;
}

export interface SkillReading {
  /** Undefined when the file cannot count as a skill. */
  readonly skill: ParsedSkill | undefined;
  /** What is wrong, each the rest of a sentence about the file. */
  readonly problems: readonly string[];
}

const MAX_DESCRIPTION = 1_024;

/** Reads a SKILL.md that lies in a folder of this name. Pure; never throws. */
export function parseSkill(folder: string, text: string): SkillReading {
  const { data, body, problems: found } = parseFrontmatter(text);
  if (data === undefined) return { skill: undefined, problems: [missingHeader(found)] };
  const problems = found.map(({ message }) => message);
  const name = nameOf(data.name, folder.normalize("NFC"), problems);
  const description = descriptionOf(data.description, problems);
  if (name === undefined || description === undefined) return { skill: undefined, problems };
  const disabled = data["disable-model-invocation"];
  const forModel = disabled !== true && disabled !== "true";
  return {
    skill: { name, description, body: trimmedBody(body), forModel, metadata: data },
    problems,
  };
}

function missingHeader(problems: Frontmatter["problems"]): string {
  return problems[0]?.message ?? "it does not begin with a header between two --- lines";
}

/** The name that counts; undefined when neither the header nor the folder has one that can be used. */
function nameOf(value: HeaderValue | undefined, folder: string, problems: string[]): string | undefined {
  const name = typeof value === "string" || typeof value === "number" ? String(value).normalize("NFC") : "";
  if (isContentName(name)) {
    if (name !== folder) problems.push(`its name is ${name} and its folder is ${folder}; ${name} counts`);
    return name;
  }
  const problem =
    name === ""
      ? "its header has no name"
      : `its name ${JSON.stringify(oneLine(name, 80))} cannot be used (${NAME_RULE})`;
  if (!isContentName(folder)) {
    problems.push(`${problem}, and that of its folder cannot be used either (${NAME_RULE})`);
    return undefined;
  }
  problems.push(`${problem}; that of its folder counts`);
  return folder;
}

function descriptionOf(value: HeaderValue | undefined, problems: string[]): string | undefined {
  const isText = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const text = isText ? String(value).trim() : "";
  if (text === "") {
    problems.push(
      value === undefined || value === null || isText
        ? "its header has no description, and a model chooses by it"
        : "its description is no text; put it in quotes",
    );
    return undefined;
  }
  if ([...text].length > MAX_DESCRIPTION)
    problems.push(`its description is cut to ${MAX_DESCRIPTION} characters`);
  return oneLine(text, MAX_DESCRIPTION);
}
