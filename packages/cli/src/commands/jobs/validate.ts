import { EXIT_CODES } from "@ashlar/agent/loop";
import { validate } from "@ashlar/jobs";
import type { Terminal } from "../../terminal.js";
import { visibleJson, visibleLine } from "../../terminal-text.js";
import { type JobsFlags, sayProblems } from "./run.js";

/** Reads every task and says what is wrong with which. Ends with 1 when a file is no task. */
export async function validateCommand(terminal: Terminal, flags: JobsFlags): Promise<number> {
  const { tasks, rejected } = await validate(terminal.cwd);
  if (flags.json) terminal.out.write(`${visibleJson({ tasks: tasks.map(({ task }) => task), rejected })}\n`);
  else {
    for (const { task, notes } of tasks) {
      terminal.out.write(`ok  ${visibleLine(task.filename)}\n`);
      for (const note of notes) terminal.out.write(`    ${visibleLine(note)}\n`);
    }
    sayProblems(
      terminal,
      rejected.map(({ filename, problem }) => ({ filename, message: problem })),
    );
  }
  return rejected.length === 0 ? EXIT_CODES.success : EXIT_CODES.other;
}
