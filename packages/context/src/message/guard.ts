import { isObject } from "../json.js";
import {
  type AssistantMessage,
  type ContextRecord,
  type Message,
  MessageType,
  type ToolResultMessage,
} from "../message.js";

/** The core shape only: a numeric `type` and an array `content`. `validateMessage` checks the whole. */
export function isMessage(value: unknown): value is Message {
  return isObject(value) && typeof value.type === "number" && Array.isArray(value.content);
}

/** A string `type` makes a record; it travels with the context and never reaches a model. */
export function isRecord(value: unknown): value is ContextRecord {
  return isObject(value) && typeof value.type === "string";
}

export function isAssistantMessage(value: unknown): value is AssistantMessage {
  return isMessage(value) && value.type === MessageType.assistant;
}

export function isToolResultMessage(value: unknown): value is ToolResultMessage {
  return isMessage(value) && value.type === MessageType.toolResult;
}

/** A failed response left its error in it. */
export function isFailedAnswer(value: unknown): value is AssistantMessage {
  return isAssistantMessage(value) && value.error !== undefined;
}
