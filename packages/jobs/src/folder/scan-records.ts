import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord } from "../state/attempt.js";
import { createExclusively, replaceFile } from "./exclusive-file.js";
import { codeOf, storageError } from "./file-error.js";
import type { JobsFolder } from "./jobs-folder.js";
import type { Problem } from "./problem-log.js";

const KEPT_SCANS = 64;
const SCAN = /^scan .*\.json$/u;

/** What one look at the tasks led to. */
export interface ScanRecord {
  readonly version: 1;
  /** Epoch milliseconds of its begin and its end. */
  readonly at: number;
  readonly endedAt: number;
  /** How many tasks were due. */
  readonly due: number;
  /** How many had an attempt without an end when it began. */
  readonly running: number;
  /** Attempts of this scan, in the order in which they ran. */
  readonly outcomes: readonly RunRecord[];
  /** What kept a task from running. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Keeps a scan as `last-run.json`, and in `runs/`, where the newest stay. */
export async function keepScan(folder: JobsFolder, record: ScanRecord): Promise<void> {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  await replaceFile(folder.lastRun, text);
  // A scan that found nothing to do is told by last-run.json alone.
  if (record.outcomes.length === 0 && record.errors.length === 0) return;
  const stamp = new Date(record.at).toISOString().replaceAll(":", "-");
  for (let count = 1; !(await createExclusively(scanFile(folder, stamp, count), text)); count += 1);
  const names = (await readdir(folder.runs)).filter((name) => SCAN.test(name)).sort();
  for (const name of names.slice(0, -KEPT_SCANS)) await rm(join(folder.runs, name), { force: true });
}

/** The last scan as its file has it; undefined: there was none, or it cannot be read. */
export async function readLastScan({ lastRun }: JobsFolder): Promise<unknown> {
  try {
    return JSON.parse(await readFile(lastRun, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw storageError(lastRun, error);
  }
}

function scanFile({ runs }: JobsFolder, stamp: string, count: number): string {
  return join(runs, `scan ${stamp} ${String(count).padStart(3, "0")}.json`);
}
