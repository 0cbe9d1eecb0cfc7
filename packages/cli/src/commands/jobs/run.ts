import { EXIT_CODES } from "@ashlar/agent/loop";
import {
  type Clock,
  createFileClock,
  type JobsRunOptions,
  type Problem,
  run,
  type ScanRecord,
} from "@ashlar/jobs";
import { withEnv } from "../../open-env.js";
import type { Terminal } from "../../terminal.js";
import { visibleJson, visibleLine } from "../../terminal-text.js";
import { openOptionsOf } from "../request-flags.js";
import { runLine } from "./run-line.js";

export interface JobsFlags {
  readonly json?: true;
  readonly clock?: string;
}

export interface RunFlags extends JobsFlags {
  readonly model?: string;
  readonly set: readonly string[];
}

/** Looks once and runs what is due: a line for each run on stdout, problems on stderr. */
export async function runJobsCommand(terminal: Terminal, flags: RunFlags): Promise<number> {
  const record = await run(terminal.cwd, {
    ...runOptionsOf(terminal, flags),
    onRun: (one) => {
      if (one.end !== undefined && !flags.json) terminal.out.write(`${runLine(one)}\n`);
    },
  });
  if (flags.json) terminal.out.write(`${visibleJson(record)}\n`);
  sayProblems(terminal, record.errors);
  if (!flags.json && record.due === 0) terminal.err.write("ashlar: nothing is due\n");
  return exitCodeOfScan(record, terminal.cancelled);
}

export function runOptionsOf(terminal: Terminal, { model, clock, set }: RunFlags): JobsRunOptions {
  return {
    signal: terminal.cancelled,
    withEnv: (work) => withEnv(terminal, openOptionsOf({ set }), work),
    ...clockOf(clock),
    ...(model !== undefined && { model }),
  };
}

export function clockOf(file: string | undefined): { readonly clock?: Clock } {
  return file === undefined ? {} : { clock: createFileClock(file) };
}

export function sayProblems(terminal: Terminal, problems: readonly Problem[]): void {
  for (const { filename, message } of problems) {
    const place = filename === undefined ? "" : `ai-jobs/tasks/${filename}: `;
    terminal.err.write(`ashlar: ${visibleLine(place + message)}\n`);
  }
}

/** A signal wins; then the first job that did not complete says its code; then any problem is 1. */
export function exitCodeOfScan({ outcomes, errors }: ScanRecord, cancelled: AbortSignal): number {
  if (cancelled.aborted) return EXIT_CODES.cancelled;
  for (const { end } of outcomes) {
    if (end !== undefined && end.outcome !== "completed") return end.exitCode || EXIT_CODES.other;
  }
  return errors.length > 0 ? EXIT_CODES.other : EXIT_CODES.success;
}
