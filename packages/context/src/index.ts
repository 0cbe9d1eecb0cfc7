export { type Assembler, createAssembler } from "./assembler/assembler.js";
export { type AppendOptions, Context, type ContextOptions } from "./context.js";
export {
  ContextError,
  type ContextErrorDetails,
  type ContextErrorKind,
  isContextError,
} from "./context-error.js";
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
export { jsonEqual } from "./json/json-equal.js";
export { redactAuth } from "./json/redact-auth.js";
export { wellFormed } from "./json/well-formed.js";
export { wellFormedJson } from "./json/well-formed-json.js";
export {
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
export type {
  EditEntry,
  EntryBase,
  LeafEntry,
  LeafReason,
  MessageEntry,
  PathEntry,
  PrependEntry,
  RecordEntry,
  RemoveEntry,
  SessionEntry,
} from "./session/entry.js";
export { createMemoryStore } from "./session/memory-store.js";
export type { SessionStore } from "./session/store.js";
export type { Clock, Randomness } from "./session/uuid.js";
export { TokenCalibration, type TokenSample } from "./tokens/calibration.js";
export { estimateTokens } from "./tokens/estimate.js";
export { addUsage, NO_USAGE, type ReportedUsage, type Usage, usageFinalize, usageSummary } from "./usage.js";
