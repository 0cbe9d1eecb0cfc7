import type { Command } from "commander";
import type { Runs } from "./command-action.js";
import type { DaemonFlags } from "./commands/jobs/daemon.js";
import type { NewFlags } from "./commands/jobs/new.js";
import type { JobsFlags, RunFlags } from "./commands/jobs/run.js";
import type { Terminal } from "./terminal.js";

const MODEL = "for tasks that name no model; default: the setting, then the last one used";
const SET = "a setting for these runs, such as budget.requests=20; may be repeated";
const CLOCK = "take the time from this file, such as 2027-03-28T00:59:00Z; for tests";

const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value];

/** `ashlar jobs …`: tasks in ai-jobs/tasks, run without people. */
export function addJobsCommands(program: Command, terminal: Terminal, runs: Runs): void {
  const jobs = program.command("jobs").description("run the tasks in ai-jobs/tasks on their schedules");
  addRunning(jobs, terminal, runs);
  addLooking(jobs, terminal, runs);
  jobs
    .command("init")
    .description("make ai-jobs here, or enable it again")
    .action(runs(async () => (await import("./commands/jobs/enable.js")).initJobsCommand(terminal)));
  jobs
    .command("disable")
    .description("rename ai-jobs to ai-jobs-disabled; nothing is lost")
    .action(runs(async () => (await import("./commands/jobs/enable.js")).disableJobsCommand(terminal)));
}

function addRunning(jobs: Command, terminal: Terminal, runs: Runs): void {
  jobs
    .command("run")
    .description("look once, and run what is due")
    .option("-m, --model <endpoint/model>", MODEL)
    .option("--set <key=value>", SET, collect, [])
    .option("--clock <file>", CLOCK)
    .option("--json", "the record of the look as one JSON object")
    .action(
      runs(async (flags: RunFlags) =>
        (await import("./commands/jobs/run.js")).runJobsCommand(terminal, flags),
      ),
    );
  jobs
    .command("daemon")
    .description("run tasks as they come due, until a signal ends it")
    .option("-m, --model <endpoint/model>", MODEL)
    .option("--set <key=value>", SET, collect, [])
    .option("--clock <file>", CLOCK)
    .option("--json", "one JSON object for each run")
    .action(
      runs(async (flags: DaemonFlags) =>
        (await import("./commands/jobs/daemon.js")).daemonCommand(terminal, flags),
      ),
    );
}

function addLooking(jobs: Command, terminal: Terminal, runs: Runs): void {
  jobs
    .command("status")
    .description("say how tasks and runs stand")
    .option("--clock <file>", CLOCK)
    .option("--json", "one JSON object")
    .action(
      runs(async (flags: JobsFlags) =>
        (await import("./commands/jobs/status.js")).statusCommand(terminal, flags),
      ),
    );
  jobs
    .command("validate")
    .description("read every task and say what is wrong with which")
    .option("--json", "one JSON object")
    .action(
      runs(async (flags: JobsFlags) =>
        (await import("./commands/jobs/validate.js")).validateCommand(terminal, flags),
      ),
    );
  jobs
    .command("new")
    .description("write a task; the prompt comes from the words or from stdin")
    .argument("<name>", "name of its file, with or without .md")
    .argument("[prompt...]", "what it is to do")
    .option("--every <interval>", "such as 30m, 6h, 1d")
    .option("--at <times>", "such as 07:00,19:30")
    .option("--cron <pattern>", 'five fields, such as "0 7 * * 1-5"')
    .option("--days <days>", "weekdays, weekends, or names such as mon,fri")
    .option("--timezone <name>", "such as Europe/Berlin; default: the machine's")
    .action(
      runs(async (name: string, words: string[], flags: NewFlags) =>
        (await import("./commands/jobs/new.js")).newCommand(terminal, { name, words, flags }),
      ),
    );
}
