import { frozenCopy } from "../json/frozen-copy.js";
import {
  type AssistantMessage,
  type Block,
  MessageType,
  type SystemMessage,
  type ToolResultMessage,
  type UserMessage,
} from "../message.js";

export type MessageContent = string | readonly Block[];
export type MessageMetadata = Readonly<Record<string, unknown>>;

/** One text block, deeply frozen. */
function blocksOf(content: MessageContent): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

export function messageSystem(content: MessageContent, metadata: MessageMetadata = {}): SystemMessage {
  return frozenCopy({ ...metadata, type: MessageType.system, content: blocksOf(content) }, "message");
}

export function messageUser(content: MessageContent, metadata: MessageMetadata = {}): UserMessage {
  return frozenCopy({ ...metadata, type: MessageType.user, content: blocksOf(content) }, "message");
}

export function messageAssistant(content: MessageContent, metadata: MessageMetadata = {}): AssistantMessage {
  return frozenCopy({ ...metadata, type: MessageType.assistant, content: blocksOf(content) }, "message");
}

export interface ToolResultInput {
  readonly callId: string;
  readonly content: MessageContent;
  readonly name?: string;
  readonly error?: boolean;
  /** For viewers; never sent to a model. */
  readonly display?: readonly Block[];
}

export function messageToolResult(input: ToolResultInput): ToolResultMessage {
  const { content, ...fields } = input;
  return frozenCopy({ type: MessageType.toolResult, ...fields, content: blocksOf(content) }, "message");
}
