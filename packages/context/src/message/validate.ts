import { malformed } from "../context-error.js";
import { isObject, nameOfValue } from "../json.js";
import { type Block, type ContextItem, type Message, MessageType } from "../message.js";
import { isRecord } from "./guard.js";

/** Checks one message and returns it. Throws kind `malformed`; `at` names the place, such as `message.content[0].callId`. */
export function validateMessage(value: unknown, at = "message"): Message {
  const message = objectAt(value, at);
  if (!isMessageType(message.type)) {
    throw malformed(
      `${at}.type`,
      `expected 1 (system), 2 (user), 3 (assistant) or 4 (tool result), got ${shown(message.type)}`,
    );
  }
  validateBlocks(message.content, `${at}.content`);
  if (message.type === MessageType.toolResult) validateToolResult(message, at);
  if (message.type === MessageType.assistant) validateAssistant(message, at);
  // Every member that `Message` names was checked above.
  return value as Message;
}

/** Checks messages and records. The place starts with the position: `context[3].content[0].callId`. */
export function validateMessages(value: unknown, at = "context"): readonly ContextItem[] {
  if (!Array.isArray(value)) throw malformed(at, `expected an array of messages, got ${nameOfValue(value)}`);
  return value.map((item, index) => validateItem(item, `${at}[${index}]`));
}

/** Checks one message or record. */
export function validateItem(value: unknown, at: string): ContextItem {
  return isRecord(value) ? value : validateMessage(value, at);
}

/** Checks one content block. A kind that nobody knows needs a string `type` only. */
export function validateBlock(value: unknown, at: string): Block {
  const block = objectAt(value, at);
  stringAt(block.type, `${at}.type`);
  switch (block.type) {
    case "text":
    case "thinking":
      stringAt(block.text, `${at}.text`);
      break;
    case "image":
    case "binary":
      stringAt(block.content, `${at}.content`);
      optionalStringAt(block.mimetype, `${at}.mimetype`);
      optionalStringAt(block.filename, `${at}.filename`);
      break;
    case "toolCall":
      nameAt(block.callId, `${at}.callId`);
      nameAt(block.name, `${at}.name`);
      if (block.arguments === undefined)
        throw malformed(`${at}.arguments`, "expected the call's arguments, got nothing");
      optionalBooleanAt(block.executed, `${at}.executed`);
      break;
    default:
  }
  // Every member that `Block` names was checked above.
  return value as Block;
}

function validateBlocks(value: unknown, at: string): void {
  if (!Array.isArray(value)) throw malformed(at, `expected an array of blocks, got ${nameOfValue(value)}`);
  for (let index = 0; index < value.length; index += 1) validateBlock(value[index], `${at}[${index}]`);
}

function validateToolResult(message: Record<string, unknown>, at: string): void {
  nameAt(message.callId, `${at}.callId`);
  optionalStringAt(message.name, `${at}.name`);
  optionalBooleanAt(message.error, `${at}.error`);
  if (message.display !== undefined) validateBlocks(message.display, `${at}.display`);
}

function validateAssistant(message: Record<string, unknown>, at: string): void {
  optionalBooleanAt(message.incomplete, `${at}.incomplete`);
  const { error } = message;
  if (error === undefined || typeof error === "string") return;
  if (!isObject(error))
    throw malformed(`${at}.error`, `expected a string or { message, retry }, got ${nameOfValue(error)}`);
  stringAt(error.message, `${at}.error.message`);
  if (error.retry !== undefined && typeof error.retry !== "number") {
    throw malformed(`${at}.error.retry`, `expected milliseconds, got ${nameOfValue(error.retry)}`);
  }
}

function isMessageType(value: unknown): value is Message["type"] {
  return value === 1 || value === 2 || value === 3 || value === 4;
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : nameOfValue(value);
}

function objectAt(value: unknown, at: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw malformed(at, `expected an object, got ${nameOfValue(value)}`);
}

function stringAt(value: unknown, at: string): void {
  if (typeof value !== "string") throw malformed(at, `expected a string, got ${nameOfValue(value)}`);
}

function nameAt(value: unknown, at: string): void {
  stringAt(value, at);
  if (value === "") throw malformed(at, "expected a string that is not empty");
}

function optionalStringAt(value: unknown, at: string): void {
  if (value !== undefined) stringAt(value, at);
}

function optionalBooleanAt(value: unknown, at: string): void {
  if (value !== undefined && typeof value !== "boolean") {
    throw malformed(at, `expected true or false, got ${nameOfValue(value)}`);
  }
}
