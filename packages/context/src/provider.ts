export { type ContentIndexer, createContentIndexer } from "./content-indexer.js";
export type { DoneReason, RequestErrorKind, ResponseEvent } from "./events.js";
export type { JsonSchema, JsonValue } from "./json.js";
export {
  type AssistantMessage,
  type BinaryBlock,
  type Block,
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
export { accept } from "./provider/accept.js";
export {
  type AuthRecord,
  type CatalogueQuery,
  type ClassifiedError,
  type DetectedEndpoint,
  type DetectQuery,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type KnownEndpoint,
  type LoginInput,
  type ModelMetadata,
  type PlanUsage,
  PROVIDER_CONTRACT,
  type ProviderClass,
  type ProviderInstance,
  type ProviderMetadata,
  type ProviderTool,
  type SendBase,
  type ToolDescriptor,
  type WireContext,
  type WireMessage,
  type WireRequest,
  type WireResponse,
} from "./provider/contract.js";
export { type DefinedProvider, defineProvider } from "./provider/define-provider.js";
