import { EXIT_CODES } from "@ashlar/agent/loop";
import { status } from "@ashlar/jobs";
import type { Terminal } from "../../terminal.js";
import { visibleJson, visibleLine } from "../../terminal-text.js";
import { clockOf, type JobsFlags, sayProblems } from "./run.js";
import { runLine } from "./run-line.js";

/** Says how tasks and runs stand. Ends with 1 when jobs are not enabled, or a file is no task. */
export async function statusCommand(terminal: Terminal, flags: JobsFlags): Promise<number> {
  const found = await status(terminal.cwd, clockOf(flags.clock));
  const { enabled, tasks, rejected, runs } = found;
  if (flags.json) terminal.out.write(`${visibleJson(found)}\n`);
  else {
    if (!enabled)
      terminal.err.write('ashlar: jobs are not enabled here; enable them with "ashlar jobs init"\n');
    for (const { filename, schedule, standing, next } of tasks) {
      const when = next === undefined ? standing : `${standing} ${next}`;
      terminal.out.write(`${visibleLine(`${filename}: ${when} (${schedule})`)}\n`);
    }
    for (const record of runs) terminal.out.write(`${runLine(record)}\n`);
    sayProblems(
      terminal,
      rejected.map(({ filename, problem }) => ({ filename, message: problem })),
    );
  }
  return enabled && rejected.length === 0 ? EXIT_CODES.success : EXIT_CODES.other;
}
