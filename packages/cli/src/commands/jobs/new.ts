import { schedule } from "@ashlar/jobs";
import { CommandError } from "../../command-error.js";
import { readInput } from "../../read-input.js";
import type { Terminal } from "../../terminal.js";

export interface NewFlags {
  readonly every?: string;
  readonly at?: string;
  readonly cron?: string;
  readonly days?: string;
  readonly timezone?: string;
}

export interface NewTask {
  readonly name: string;
  readonly words: readonly string[];
  readonly flags: NewFlags;
}

/** Writes a task file; one that is there is left alone. */
export async function newCommand(terminal: Terminal, { name, words, flags }: NewTask): Promise<number> {
  const filename = name.endsWith(".md") ? name : `${name}.md`;
  const given = words.join(" ").trim();
  const prompt = given === "" ? (await readInput(terminal)).trim() : given;
  if (prompt === "") {
    throw new CommandError("usage", "ashlar jobs new <name> <prompt…>, or the prompt on stdin", {
      argument: "prompt",
    });
  }
  const when = scheduleOf(flags);
  await schedule(terminal.cwd, {
    action: "create",
    filename,
    prompt,
    ...(when !== undefined && { schedule: when }),
  });
  terminal.out.write(`wrote ai-jobs/tasks/${filename}\n`);
  return 0;
}

/** As the frontmatter has it; what is wrong with it, the task's own check says. */
function scheduleOf({
  every,
  at,
  cron,
  days,
  timezone,
}: NewFlags): Readonly<Record<string, unknown>> | undefined {
  const given = {
    ...(every !== undefined && { every }),
    ...(at !== undefined && { at: namesOf(at) }),
    ...(cron !== undefined && { cron }),
    ...(days !== undefined && { days: /^week(days|ends)$/u.test(days) ? days : namesOf(days) }),
    ...(timezone !== undefined && { timezone }),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

function namesOf(list: string): readonly string[] {
  return list.split(",").map((name) => name.trim());
}
