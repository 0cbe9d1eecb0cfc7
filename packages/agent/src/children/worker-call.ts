import type { QuestionBridge } from "@ashlar/context/tool";

/** What one call of a tool brings to the workers. */
export interface WorkerCall {
  /** Absent: nobody is there. */
  readonly question: QuestionBridge | undefined;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly deadline: () => number;
}
