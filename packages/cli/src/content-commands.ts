import type { Command } from "commander";
import type { Runs } from "./command-action.js";
import type { ContentFlags } from "./commands/skills.js";
import type { Terminal } from "./terminal.js";

/** `ashlar skills` and `ashlar prompts`: what steers the models here. */
export function addContentCommands(program: Command, terminal: Terminal, runs: Runs): void {
  program
    .command("skills")
    .description("list the skills of this project, user and packages, or print one")
    .argument("[name]", "print this one, its includes expanded")
    .option("--json", "one JSON object a line")
    .action(
      runs(async (name: string | undefined, flags: ContentFlags) =>
        (await import("./commands/skills.js")).skillsCommand(terminal, name, flags),
      ),
    );
  program
    .command("prompts")
    .description("list the prompts that /name stands for, or print one")
    .argument("[name]", "print this one, its includes expanded")
    .option("--json", "one JSON object a line")
    .action(
      runs(async (name: string | undefined, flags: ContentFlags) =>
        (await import("./commands/prompts.js")).promptsCommand(terminal, name, flags),
      ),
    );
}
