import type { Attempt, AttemptEnd, Claim, RunRecord } from "./attempt.js";

/** What is known of a task's occurrences. */
export interface TaskHistory {
  /** Epoch milliseconds of the newest occurrence that was ever claimed, single runs left out. */
  readonly newest?: number;
  /** Slots that were claimed and are still remembered. */
  readonly slots: ReadonlySet<string>;
  /** Slots without an end: their attempts run, or are lost. */
  readonly open: ReadonlySet<string>;
}

/**
 * Who runs what, for any number of schedulers at once. `claim` decides; everything else may be behind. Methods reject
 * with kind `storage` when something could not be read or kept.
 */
export interface JobState {
  /** Epoch milliseconds at which this schedule of this task was first seen: `now` for the first caller, and then for all. */
  readonly anchor: (taskId: string, schedule: string, now: number) => Promise<number>;
  /** The same without leaving a mark; undefined: it was not seen yet. */
  readonly seen: (taskId: string, schedule: string) => Promise<number | undefined>;
  readonly history: (taskId: string) => Promise<TaskHistory>;
  /** Takes an occurrence, for ever: of all callers, wherever they run, one gets a claim and the others undefined. */
  readonly claim: (attempt: Attempt) => Promise<Claim | undefined>;
  /** Keeps the end of a claim. The owner's word replaces an `interrupted` that somebody else wrote. */
  readonly finish: (claim: Claim, end: AttemptEnd) => Promise<void>;
  /** Claims without an end whose owner is gone for certain, or cannot be asked and is long past its time limit. */
  readonly lost: (now: number) => Promise<readonly Claim[]>;
  /** The newest records first. */
  readonly list: (limit: number) => Promise<readonly RunRecord[]>;
  /** Forgets what can no longer decide anything. `taskIds`: the tasks there are. */
  readonly prune: (taskIds: ReadonlySet<string>, now: number) => Promise<void>;
}
