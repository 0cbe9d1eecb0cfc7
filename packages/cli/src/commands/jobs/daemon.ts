import { EXIT_CODES } from "@ashlar/agent/loop";
import { daemonRun } from "@ashlar/jobs";
import type { Terminal } from "../../terminal.js";
import { visibleJson } from "../../terminal-text.js";
import { type RunFlags, runOptionsOf, sayProblems } from "./run.js";
import { runLine } from "./run-line.js";

export type DaemonFlags = RunFlags;

/** Stays in the foreground and runs what comes due: a line for each run that has ended. Ends with 130 on a signal, with 0 when jobs are disabled. */
export async function daemonCommand(terminal: Terminal, flags: DaemonFlags): Promise<number> {
  let said = new Set<string>();
  const end = await daemonRun(terminal.cwd, {
    ...runOptionsOf(terminal, flags),
    onRun: (record) => {
      if (record.end === undefined) return;
      terminal.out.write(`${flags.json ? visibleJson(record) : runLine(record)}\n`);
    },
    onScan: ({ errors }) => {
      // The same problem stands at every look; it is said when it appears.
      const keys = errors.map(({ filename, message }) => `${filename} ${message}`);
      sayProblems(
        terminal,
        errors.filter((_, index) => !said.has(keys[index] ?? "")),
      );
      said = new Set(keys);
    },
  });
  if (end === "disabled") terminal.err.write("ashlar: ai-jobs is gone, so the daemon ends\n");
  return end === "cancelled" ? EXIT_CODES.cancelled : EXIT_CODES.success;
}
