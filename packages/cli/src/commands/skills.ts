import { writeEvent } from "../event-lines.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { visibleLine, visibleText } from "../terminal-text.js";

export interface ContentFlags {
  /** One JSON object a line. */
  readonly json?: true;
}

/** Lists the skills, or prints one with its includes expanded. What is wrong with a file is said on stderr. */
export async function skillsCommand(
  terminal: Terminal,
  name: string | undefined,
  { json }: ContentFlags,
): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    if (name === undefined) {
      const { skills } = await env.skills();
      for (const skill of skills) {
        if (json) writeEvent(terminal.out, skill);
        else terminal.out.write(`${contentLine(skill)}\n`);
      }
      return 0;
    }
    const skill = await env.skill(name);
    if (json) writeEvent(terminal.out, { ...skill, resources: await env.skillResources(name) });
    else writeBody(terminal, skill.body);
    return 0;
  });
}

/** `name  What it does  (/its/file.md)` */
export function contentLine(entry: {
  readonly name: string;
  readonly description: string;
  readonly file: string;
}): string {
  return `${entry.name}  ${visibleLine(entry.description)}  (${visibleLine(entry.file)})`;
}

/** As it is into a file or a program, harmless onto a terminal. */
export function writeBody({ out, outColumns }: Terminal, body: string): void {
  out.write(`${outColumns === undefined ? body : visibleText(body)}\n`);
}
