export { type CompactionPlan, type PlanLimits, planCompaction } from "../compaction/plan.js";
export { type AskSummary, type SummaryLimits, summarizePlan } from "../compaction/summarize.js";
export {
  createSummaryMessage,
  type FileLists,
  readSummaryMessage,
  type SummaryParts,
} from "../compaction/summary-message.js";
export { explainEmptyAnswer, localCalls } from "./answer.js";
export { BatchSchedule } from "./batch-schedule.js";
export {
  Budget,
  type BudgetLimits,
  type BudgetRule,
  type BudgetStop,
  type ChildBudgetResult,
  costOf,
  DEFAULT_BUDGET,
  type Reservation,
  type ReservationResult,
} from "./budget.js";
export { type ReadArguments, readArguments } from "./call-arguments.js";
export { CallIds, type PairedResponse, pairResponse } from "./call-ids.js";
export { compactionThreshold } from "./compaction-trigger.js";
export { type ContextFill, type ContextPolicy, guardContext, type LargestMessage } from "./context-guard.js";
export { EXIT_CODES, exitCodeOf, type ResultKind } from "./exit-code.js";
export {
  type AfterStore,
  type CompactionCause,
  idleState,
  type LoopPolicy,
  type LoopState,
  type Outcome,
  type RunMemory,
  type UnrunReason,
} from "./loop-state.js";
export type {
  AnsweredInput,
  CallOutcome,
  CompactedInput,
  LoopEffect,
  LoopInput,
  PreparedInput,
  Step,
} from "./loop-step.js";
export { type Permission, type PermissionState, type PermissionSubject, permit } from "./permission.js";
export {
  NO_REPETITION,
  type ObservedCall,
  observeCalls,
  type Repetition,
  type RepetitionLimits,
  type RepetitionVerdict,
} from "./repetition.js";
export { type FailedAttempt, isRetried, judgeFailure, type RetryPolicy, type RetryVerdict } from "./retry.js";
export { resultOf } from "./run-end.js";
export { step } from "./step.js";
export {
  type AgentEvent,
  type AgentStreamEvent,
  type BudgetEvent,
  type CompactionEndEvent,
  type CompactionEvent,
  type CompactionFailedEvent,
  type CompactionReason,
  type CompactionStartEvent,
  type NoticeEvent,
  type ResultEvent,
  type RetryEvent,
  STREAM_VERSION,
  type ThrottledEvent,
  type ToolDataEvent,
  type ToolExecuteEvent,
  type ToolResultEvent,
} from "./stream-event.js";
export { classifyTerminal, type TerminalState } from "./terminal-state.js";
export { errorAnswer, readToolError, readToolValue, type ToolAnswer } from "./tool-value.js";
