import type { Usage } from "../usage.js";

/** What an operation is for. */
export type OperationPurpose = "run" | "compaction" | "summary";
export type OperationOutcome = "completed" | "cancelled" | "failed";

/** A piece of work begins; at most one is open in a session. */
export interface OperationStarted {
  readonly type: "operation_started";
  readonly operation: string;
  readonly purpose: OperationPurpose;
}

export interface OperationFinished {
  readonly type: "operation_finished";
  readonly operation: string;
  readonly outcome: OperationOutcome;
}

/** A request is about to be sent. Steps and attempts count from 1, attempts anew for each step. */
export interface StepAttempt {
  readonly type: "step_attempt";
  readonly operation: string;
  readonly step: number;
  readonly attempt: number;
}

/** A call is about to run; committed before anything can change. */
export interface ToolStarted {
  readonly type: "tool_started";
  readonly operation: string;
  readonly callId: string;
  readonly name: string;
  /** What the tool declared when the call began: may it run again after a crash? */
  readonly replay: "never" | "safe";
}

export type UsageCause = "assistant" | "compaction" | "summary" | "tool" | "adjustment";

/** What one request cost. */
export interface UsageReported {
  readonly type: "usage";
  readonly cause: UsageCause;
  readonly usage: Usage;
  readonly model?: string;
}

/** One line of the log of what a session did, beside what was said in it. */
export type JournalEvent = OperationStarted | OperationFinished | StepAttempt | ToolStarted | UsageReported;
