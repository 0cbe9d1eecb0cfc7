/** How an attempt ended. */
export type Outcome =
  | "completed"
  | "failed"
  /** It needs a person: a question, a permission, a login. */
  | "blocked"
  | "cancelled"
  | "timed-out"
  /** Its scheduler ended before it did; it is never run again. */
  | "interrupted"
  /** The same, and what became of the task's file is not known. */
  | "archive-unconfirmed"
  /** It never began: the task changed, or a newer occurrence had begun. */
  | "stale";

/** One claim of one occurrence. An occurrence has at most one, so its id ends in `#1`. */
export interface Attempt {
  /** `<occurrence>#1` */
  readonly id: string;
  /** `<task id>@<slot>` */
  readonly occurrence: string;
  /** Epoch milliseconds of the occurrence; of a single run, with the identity of its file behind it. */
  readonly slot: string;
  readonly taskId: string;
  readonly filename: string;
  readonly once: boolean;
  /** Epoch milliseconds. */
  readonly scheduledAt: number;
  readonly claimedAt: number;
  /** Id of its conversation. */
  readonly session: string;
  /** Milliseconds it may take; absent: no limit of its own. */
  readonly timeoutMs?: number;
}

/** An attempt that was won. */
export interface Claim {
  readonly attempt: Attempt;
  /** `YYYY-MM-DD NNN`, of the local day; no two attempts have the same. */
  readonly number: string;
}

export interface AttemptEnd {
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /** Path of the task's text below the jobs folder. */
  readonly archive?: string;
  /** A sentence for people. */
  readonly error?: string;
  /** Of the table of exit codes; absent when no agent ran. */
  readonly exitCode?: number;
}

/** What the ledger says of one attempt. */
export interface RunRecord extends Claim {
  /** Absent: it runs, or its scheduler has ended and nobody looked yet. */
  readonly end?: AttemptEnd;
}

export function createAttempt(facts: Omit<Attempt, "id" | "occurrence">): Attempt {
  const occurrence = `${facts.taskId}@${facts.slot}`;
  return { id: `${occurrence}#1`, occurrence, ...facts };
}

/** Where the text of an attempt is kept, below the jobs folder. */
export function archivePath({ attempt, number }: Claim): string {
  const name = `${number} ${attempt.filename}`;
  return attempt.once ? `completed/${name}` : `runs/${name}.snapshot`;
}
