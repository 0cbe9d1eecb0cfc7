import {
  type AssistantMessage,
  type Block,
  type Message,
  MessageType,
  type SystemMessage,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from "@ashlar/context";
import { isRecord } from "../record.js";
import { attachmentsOf, fileNotes, resultAttachmentsLabel } from "./attachments.js";

/** A message as `/api/chat` wants it. */
export interface OllamaMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly OllamaToolCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

interface OllamaToolCall {
  readonly id?: string;
  readonly function: { readonly index: number; readonly name: string; readonly arguments: object };
}

/** Translates a context. Throws kind `malformed` that names the block which the wire cannot carry. */
export function toMessages(context: readonly Message[]): readonly OllamaMessage[] {
  const messages: OllamaMessage[] = [];
  const names = new Map<string, string>();
  let results: ToolResultMessage[] = [];
  for (const [index, message] of context.entries()) {
    const place = `context[${index}]`;
    if (message.type === MessageType.toolResult) {
      results.push(message);
      messages.push(toolMessage(message, names));
      continue;
    }
    messages.push(...resultAttachments(results, names));
    results = [];
    if (message.type === MessageType.assistant) {
      for (const call of callsIn(message.content)) names.set(call.callId, call.name);
      messages.push(...assistantMessage(message));
    } else {
      messages.push(plainMessage(message, place));
    }
  }
  return [...messages, ...resultAttachments(results, names)];
}

function plainMessage(message: SystemMessage | UserMessage, place: string): OllamaMessage {
  const attachments = attachmentsOf(message.content, place);
  const content = [textIn(message.content), fileNotes(attachments)].filter(Boolean).join("\n");
  return {
    role: message.type === MessageType.system ? "system" : "user",
    content,
    ...(attachments.length > 0 && { images: attachments.map((attachment) => attachment.content) }),
  };
}

/** None for a turn that holds nothing this wire carries, such as thinking alone. */
function assistantMessage({ content }: AssistantMessage): readonly OllamaMessage[] {
  const text = textIn(content);
  const calls = callsIn(content);
  if (text === "" && calls.length === 0) return [];
  const thinking = calls.length > 0 ? thinkingIn(content) : "";
  return [
    {
      role: "assistant",
      content: text,
      ...(thinking !== "" && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    },
  ];
}

function toolCall({ callId, name, arguments: args }: ToolCallBlock, index: number): OllamaToolCall {
  // The server takes objects only; raw text that never parsed goes along as one value.
  const values = isRecord(args) ? args : args === undefined || args === null ? {} : { unparsed: args };
  return { ...(callId !== "" && { id: callId }), function: { index, name, arguments: values } };
}

function toolMessage(message: ToolResultMessage, names: ReadonlyMap<string, string>): OllamaMessage {
  const name = message.name ?? names.get(message.callId);
  const text = textIn(message.content);
  const attached = message.content.some((block) => block.type === "image" || block.type === "binary");
  return {
    role: "tool",
    content: text === "" && attached ? "(attached below)" : text,
    ...(name !== undefined && { tool_name: name }),
    ...(message.callId !== "" && { tool_call_id: message.callId }),
  };
}

/** The server takes images on user messages only, and tool messages must stay together. */
function resultAttachments(
  results: readonly ToolResultMessage[],
  names: ReadonlyMap<string, string>,
): readonly OllamaMessage[] {
  const images = results.flatMap((result) =>
    attachmentsOf(result.content, `result ${result.callId}`).map((attachment) => attachment.content),
  );
  if (images.length === 0) return [];
  const toolNames = results.map((result) => result.name ?? names.get(result.callId) ?? "tool");
  return [{ role: "user", content: resultAttachmentsLabel(results, toolNames), images }];
}

function textIn(content: readonly Block[]): string {
  return content
    .flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : []))
    .join("\n\n");
}

function thinkingIn(content: readonly Block[]): string {
  return content
    .flatMap((block) => (block.type === "thinking" && block.text !== "" ? [block.text] : []))
    .join("\n\n");
}

function callsIn(content: readonly Block[]): readonly ToolCallBlock[] {
  return content.filter((block) => block.type === "toolCall");
}
