export {
  Agent,
  type AgentAdds,
  AgentEnv,
  type AgentOptions,
} from "./agent.js";
export type { StreamListener } from "./agent-emitter.js";
export { AgentError, type AgentErrorDetails, type AgentErrorKind, isAgentError } from "./agent-error.js";
export type { AgentEventKeys, AgentEventName, AgentEventPayloads } from "./agent-events.js";
export type { AgentCreateOptions, BudgetOptions, RunOptions } from "./agent-options.js";
export type { AgentSettings } from "./agent-settings.js";
export type { ModelCapacity } from "./capacity.js";
export type { AgentCapabilities, RequestedCapabilities } from "./children/capabilities.js";
export type { ChildOptions } from "./children/child-options.js";
export type { BranchSummaryOptions, BranchSummaryResult } from "./compaction/branch-summary.js";
export type { CompactOptions } from "./compaction/compact-by-hand.js";
export type { CompactionResult } from "./compaction/compact-context.js";
export type { AgentContextUsage } from "./context-meter.js";
export type { AgentAddsOf } from "./env-plugin.js";
export { streamEventSchema } from "./generated/stream-event-schema.js";
export type { HookProblem } from "./hooks/env-hooks.js";
export type {
  AfterTool,
  AfterToolReply,
  BeforeRequest,
  BeforeRequestReply,
  BeforeTool,
  BeforeToolReply,
  FinishedTurn,
  HookAgent,
  HookReply,
  Interceptor,
  NextTurnReply,
} from "./hooks/interceptor.js";
export type { Observers } from "./hooks/observers.js";
export type {
  CommandRequest,
  Confinement,
  HostServices,
  IsolatedCommand,
  IsolatedRequest,
  IsolatedRun,
  Isolation,
  IsolationProbe,
  ServiceName,
} from "./isolation/isolation.js";
export type { IsolationLimits } from "./isolation/isolation-limits.js";
export type { IsolationPolicy } from "./isolation/isolation-policy.js";
export {
  createPolicySource,
  type PolicySource,
  type PolicySourceOptions,
} from "./isolation/policy-source.js";
export { Budget, type BudgetLimits, type BudgetRule } from "./loop/budget.js";
export { EXIT_CODES, exitCodeOf, type ResultKind } from "./loop/exit-code.js";
export type {
  AgentEvent,
  AgentStreamEvent,
  BudgetEvent,
  CompactionEndEvent,
  CompactionEvent,
  CompactionFailedEvent,
  CompactionReason,
  CompactionStartEvent,
  NoticeEvent,
  ResultEvent,
  ResultEvent as RunResult,
  RetryEvent,
  ThrottledEvent,
  ToolDataEvent,
  ToolExecuteEvent,
  ToolResultEvent,
} from "./loop/stream-event.js";
export type { AgentPolicy, BudgetPolicy } from "./policy.js";
export type { QueueKind, QueueMode, SendOptions, UserInput } from "./queue/message-queue.js";
export type { AgentRuntime } from "./run/run-host.js";
export { finishAdd, finishRun, finishSignalsArm } from "./session/finish.js";
export type { AgentOpenOptions, SessionChoice } from "./session/session-choice.js";
export type { SessionSettings } from "./session/session-settings.js";
export type { StreamFunction, StreamOptions } from "./stream-function.js";
export {
  type Change,
  UndoJournal,
  type UndoResult,
} from "./undo/undo-journal.js";
