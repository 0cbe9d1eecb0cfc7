import type { AgentEnv } from "@ashlar/agent";
import type { Clock } from "./daemon/clock.js";
import type { ScanRecord } from "./folder/scan-records.js";
import type { RunRecord } from "./state/attempt.js";
import type { JobState } from "./state/job-state.js";

/** Where a look at the tasks gets its time from. */
export interface TimeOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
  /** IANA name, for schedules that name none. Default: the machine's. */
  readonly zone?: string;
}

export interface StatusOptions extends TimeOptions {
  /** Takes the place of the files below `state/`, such as a database that several machines share. */
  readonly state?: JobState;
}

export interface JobsRunOptions extends StatusOptions {
  /** Opens the Env that the jobs of one wake share, and closes it after them. Default: that of the project's folder. */
  readonly withEnv?: (work: (env: AgentEnv) => Promise<void>) => Promise<void>;
  /** For tasks that name no model. Default: the setting `model`, then the last one used. */
  readonly model?: string;
  /** Cancels the running job, and no other begins. */
  readonly signal?: AbortSignal;
  /** Told when a job begins, without an end, and when it has ended. */
  readonly onRun?: (record: RunRecord) => void;
}

export interface DaemonOptions extends JobsRunOptions {
  /** Told after each look at the tasks. */
  readonly onScan?: (record: ScanRecord) => void;
}

/** Why a daemon ended: its signal, or the folder, which was disabled or taken away. */
export type DaemonEnd = "cancelled" | "disabled";
