import { resolve } from "node:path";
import { AgentEnv } from "@ashlar/agent";
import { performSchedule, type ScheduleCommand, type ScheduleResult } from "./command/schedule-command.js";
import { SYSTEM_CLOCK } from "./daemon/clock.js";
import { runDaemon } from "./daemon/daemon.js";
import { disableJobs, enableJobs, type JobsFolder, openJobsFolder } from "./folder/jobs-folder.js";
import { createProblemLog } from "./folder/problem-log.js";
import { keepScan, type ScanRecord } from "./folder/scan-records.js";
import { readTaskFiles, type TaskFiles } from "./folder/task-files.js";
import { isJobsError, JobsError } from "./jobs-error.js";
import type { DaemonEnd, DaemonOptions, JobsRunOptions, StatusOptions, TimeOptions } from "./jobs-options.js";
import { type JobsStatus, readStatus } from "./jobs-status.js";
import { createAgentRunner } from "./run/agent-runner.js";
import { type Scan, Scanner } from "./run/scan.js";
import { isZone, localZone, offsetAt } from "./schedule/zone.js";
import { createFolderState } from "./state/folder-state.js";
import type { JobState } from "./state/job-state.js";

/** Makes `ai-jobs`, or gives a disabled one its name back. Doing it again changes nothing. */
export function init(root: string): Promise<"created" | "restored" | "present"> {
  return enableJobs(resolve(root));
}

/** Renames `ai-jobs` to `ai-jobs-disabled`, bytes kept; false: it was disabled before. */
export function disable(root: string): Promise<boolean> {
  return disableJobs(resolve(root));
}

/** How tasks and runs stand. It marks nothing as seen. Not enabled is no error here: `enabled` says so. */
export async function status(root: string, options: StatusOptions = {}): Promise<JobsStatus> {
  const { now, zone, dayOf } = timeOf(options);
  try {
    const folder = await openJobsFolder(resolve(root));
    const state = options.state ?? createFolderState({ folder: folder.path, dayOf });
    return await readStatus({ folder, state, now: now(), zone });
  } catch (error) {
    if (!isJobsError(error) || error.kind !== "disabled") throw error;
    return { enabled: false, now: new Date(now()).toISOString(), zone, tasks: [], rejected: [], runs: [] };
  }
}

/** Reads every task and says what is wrong with which. */
export async function validate(root: string): Promise<TaskFiles> {
  return readTaskFiles(await openJobsFolder(resolve(root)));
}

/** Lists, reads, creates, updates or removes task files. It never runs a task. */
export async function schedule(root: string, command: ScheduleCommand): Promise<ScheduleResult> {
  return performSchedule(await openJobsFolder(resolve(root)), command);
}

/** One look: runs what is due, one task after the other. What one task does wrong is in the result, and rejects nothing. */
export async function run(root: string, options: JobsRunOptions = {}): Promise<ScanRecord> {
  const { next, ...record } = await scan(resolve(root), options, stateOnce(options));
  return record;
}

/** Runs tasks as they come due, until `signal` fires or the folder is disabled. */
export function daemonRun(root: string, options: DaemonOptions = {}): Promise<DaemonEnd> {
  const path = resolve(root);
  const state = stateOnce(options);
  return runDaemon(path, options, (signal) => scan(path, { ...options, signal }, state));
}

type StateOf = (folder: JobsFolder) => JobState;

/** One state for all looks of a scheduler: it remembers what it could not write yet. */
function stateOnce(options: JobsRunOptions): StateOf {
  let state = options.state;
  return (folder) => {
    state ??= createFolderState({ folder: folder.path, dayOf: timeOf(options).dayOf });
    return state;
  };
}

async function scan(root: string, options: JobsRunOptions, stateOf: StateOf): Promise<Scan> {
  const { now, zone, dayOf } = timeOf(options);
  const folder = await openJobsFolder(root);
  const { signal = new AbortController().signal, onRun } = options;
  const { model, withEnv = (work) => withOwnEnv(root, work) } = options;
  const scanner = new Scanner({
    folder,
    state: stateOf(folder),
    problems: createProblemLog({ folder, root, dayOf }),
    now,
    zone,
    ...(onRun !== undefined && { onRun }),
  });
  const result = await scanner.run(
    (work) => withEnv((env) => work(createAgentRunner({ env, ...(model !== undefined && { model }) }))),
    signal,
  );
  const { next, ...record } = result;
  await keepScan(folder, record);
  return result;
}

async function withOwnEnv(root: string, work: (env: AgentEnv) => Promise<void>): Promise<void> {
  const env = await AgentEnv.open(root);
  try {
    await work(env);
  } finally {
    await env.close();
  }
}

function timeOf({ clock = SYSTEM_CLOCK, zone = localZone() }: TimeOptions): {
  readonly now: () => number;
  readonly zone: string;
  readonly dayOf: (instant: number) => string;
} {
  if (!isZone(zone)) {
    throw new JobsError(
      "usage",
      `zone: ${JSON.stringify(zone)} is no time zone; write an IANA name such as Europe/Berlin`,
      { argument: "zone" },
    );
  }
  const dayOf = (instant: number): string =>
    new Date(instant + offsetAt(zone, instant)).toISOString().slice(0, "YYYY-MM-DD".length);
  return { now: clock.now, zone, dayOf };
}
