import { CommandError } from "../command-error.js";
import { writeEvent } from "../event-lines.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { type ContentFlags, contentLine, writeBody } from "./skills.js";

/** Lists the prompts, or prints what stands in the place of one. What is wrong with a file is said on stderr. */
export async function promptsCommand(
  terminal: Terminal,
  name: string | undefined,
  { json }: ContentFlags,
): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    const { prompts } = await env.prompts();
    if (name === undefined) {
      for (const prompt of prompts) {
        if (json) writeEvent(terminal.out, prompt);
        else terminal.out.write(`${contentLine(prompt)}\n`);
      }
      return 0;
    }
    const command = `/${name.replace(/^\/+/, "")}`;
    const body = await env.promptExpand(command);
    const prompt = prompts.find((one) => `/${one.name}` === command);
    if (prompt === undefined)
      throw new CommandError(
        "usage",
        noPrompt(
          name,
          prompts.map((one) => one.name),
        ),
        { argument: "name" },
      );
    if (json) writeEvent(terminal.out, { ...prompt, body });
    else writeBody(terminal, body);
    return 0;
  });
}

function noPrompt(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
  return `There is no prompt ${JSON.stringify(name)}; ${known}.`;
}
