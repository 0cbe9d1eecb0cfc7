export { type Assembler, createAssembler } from "./assembler/assembler.js";
export { Context } from "./context.js";
export {
  ContextError,
  type ContextErrorDetails,
  type ContextErrorKind,
  isContextError,
} from "./context-error.js";
export type {
  AppendOptions,
  BranchSummary,
  Compaction,
  ContextOptions,
  OpenContextOptions,
} from "./context-options.js";
export {
  ASHLAR_ERROR,
  AshlarError,
  type AshlarErrorJson,
  type AshlarErrorShape,
  isAshlarError,
} from "./error.js";
export {
  type Callbacks,
  callbacksToSink,
  type EventCallbackName,
  type EventCallbacks,
  type EventSink,
  eventCallbackName,
} from "./events/callbacks.js";
export { validateEvent } from "./events/validate-event.js";
export {
  type BlockEvent,
  type DoneEvent,
  type DoneReason,
  type ErrorEvent,
  EVENTS_VERSION,
  type RequestErrorKind,
  type ResponseEvent,
  type StartEvent,
  type TerminalEvent,
  type TextDeltaEvent,
  type TextEndEvent,
  type TextStartEvent,
  type ThinkingDeltaEvent,
  type ThinkingEndEvent,
  type ThinkingStartEvent,
  type ToolCallDeltaEvent,
  type ToolCallEndEvent,
  type ToolCallResultEvent,
  type ToolCallStartEvent,
} from "./events.js";
export { responseEventSchema } from "./generated/response-event-schema.js";
export { canonicalJson } from "./json/canonical-json.js";
export { frozenCopy } from "./json/frozen-copy.js";
export { jsonEqual } from "./json/json-equal.js";
export { redactAuth } from "./json/redact-auth.js";
export { wellFormed } from "./json/well-formed.js";
export { wellFormedJson } from "./json/well-formed-json.js";
export {
  isObject,
  JSON_MAX_DEPTH,
  type JsonObject,
  type JsonPrimitive,
  type JsonSchema,
  type JsonValue,
} from "./json.js";
export { type AttachmentInput, contentBinary } from "./message/attachment.js";
export {
  type MessageContent,
  type MessageMetadata,
  messageAssistant,
  messageSystem,
  messageToolResult,
  messageUser,
  type ToolResultInput,
} from "./message/build.js";
export {
  blockHasContent,
  contentText,
  messageErrorText,
  messageHasContent,
  toolCallsOf,
} from "./message/content.js";
export { isAssistantMessage, isMessage, isRecord, isToolResultMessage } from "./message/guard.js";
export { oncePerMessage } from "./message/once-per-message.js";
export { validateMessage, validateMessages } from "./message/validate.js";
export {
  type AssistantMessage,
  type BinaryBlock,
  type Block,
  type BlockKinds,
  type ContextItem,
  type ContextRecord,
  type ImageBlock,
  type Message,
  MessageType,
  type SystemMessage,
  type TextBlock,
  type ThinkingBlock,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from "./message.js";
export { type MimeInput, mimeDetect } from "./mime.js";
export { nearestName } from "./nearest-name.js";
export { type ParsedInput, parseInput } from "./parse-input.js";
export { requestView } from "./request/request-view.js";
export { type AcceptOptions, acceptEntries } from "./session/accept-entries.js";
export type { BranchQuery } from "./session/branch-query.js";
export { isEntry } from "./session/check-entry.js";
export { cutPositions } from "./session/compaction.js";
export {
  type CompactionEntry,
  type CustomEntry,
  type EditEntry,
  type EntryBase,
  type EntryKind,
  isPathEntry,
  type JournalEntry,
  type LabelEntry,
  type LeafEntry,
  type LeafReason,
  MAIN_LANE,
  type MessageEntry,
  type NameEntry,
  type PathEntry,
  type PrependEntry,
  type RecordEntry,
  type RemoveEntry,
  type SessionEntry,
  type SideEntry,
  type SummaryEntry,
} from "./session/entry.js";
export { EntryMender } from "./session/entry-mender.js";
export { SessionFacts, type SessionStats } from "./session/facts.js";
export { type ForkPlan, type ForkTarget, forkEnd, forkedEntries } from "./session/fork.js";
export type {
  JournalEvent,
  OperationFinished,
  OperationOutcome,
  OperationPurpose,
  OperationStarted,
  StepAttempt,
  ToolStarted,
  UsageCause,
  UsageReported,
} from "./session/journal.js";
export {
  type JournalProblem,
  type JournalProblemReason,
  type JournalState,
  type OpenOperation,
  reduceJournal,
  type StartedCall,
} from "./session/journal-state.js";
export { checkLimit, checkLogQuery, type LogQuery, selectEntries } from "./session/log-query.js";
export { createMemoryRepository, type MemoryRepositoryOptions } from "./session/memory-repository.js";
export { createMemoryStore } from "./session/memory-store.js";
export { previewOf } from "./session/preview.js";
export type {
  CreateSessionOptions,
  ForkSessionOptions,
  ListSessionsOptions,
  OpenSessionOptions,
  SessionRepository,
} from "./session/repository.js";
export { type ResumeInput, type ResumePlan, resumePlan } from "./session/resume-plan.js";
export { entryText, foldText, type SearchHit, type SearchOptions, SearchScan } from "./session/search.js";
export {
  isSessionError,
  SessionError,
  type SessionErrorDetails,
  type SessionErrorKind,
} from "./session/session-error.js";
export { checkSessionId, resolveSessionId } from "./session/session-id.js";
export type {
  CommitOptions,
  DamageReason,
  SessionDamage,
  SessionInfo,
  SessionOrigin,
  SessionStore,
  StoredSession,
} from "./session/store.js";
export { type Clock, createUuid7, type Randomness } from "./session/uuid.js";
export { TokenCalibration, type TokenSample } from "./tokens/calibration.js";
export { estimateTokens } from "./tokens/estimate.js";
export { addUsage, NO_USAGE, type ReportedUsage, type Usage, usageFinalize, usageSummary } from "./usage.js";
