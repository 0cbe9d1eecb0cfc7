import {
  type AssistantMessage,
  type Block,
  type Message,
  MessageType,
  oncePerMessage,
  type SystemMessage,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from "@ashlar/context";
import { isRecord } from "../record.js";
import { attachmentsOf, fileNotes, resultAttachmentsLabel } from "./attachments.js";

/** A message as `/api/chat` wants it. Those that each request repeats are frozen, so that their text is made once. */
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
  /** Results since the last other message that attach something. */
  let attaching: ToolResultMessage[] = [];
  let index = -1;
  for (const message of context) {
    index += 1;
    if (message.type === MessageType.toolResult) {
      const result = named(message, context, index);
      messages.push(toolMessage(result));
      if (result.content.some(isAttachment)) attaching.push(result);
      continue;
    }
    messages.push(...resultAttachments(attaching));
    attaching = [];
    if (message.type === MessageType.assistant) messages.push(...assistantMessages(message));
    else messages.push(plainMessage(message, `context[${index}]`));
  }
  messages.push(...resultAttachments(attaching));
  return messages;
}

/** The result with the name of its tool: its own, else that of the call before `index`. */
function named(result: ToolResultMessage, context: readonly Message[], index: number): ToolResultMessage {
  if (result.name !== undefined) return result;
  for (let before = index - 1; before >= 0; before -= 1) {
    const calls = callsIn(context[before]?.content ?? []);
    const call = calls.find(({ callId }) => callId === result.callId);
    if (call !== undefined) return { ...result, name: call.name };
  }
  return result;
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
const assistantMessages: (message: AssistantMessage) => readonly OllamaMessage[] = oncePerMessage(
  ({ content }) => {
    const text = textIn(content);
    const calls = callsIn(content);
    if (text === "" && calls.length === 0) return [];
    const thinking = calls.length > 0 ? thinkingIn(content) : "";
    const message: OllamaMessage = {
      role: "assistant",
      content: text,
      ...(thinking !== "" && { thinking }),
      ...(calls.length > 0 && { tool_calls: Object.freeze(calls.map(toolCall)) }),
    };
    return [Object.freeze(message)];
  },
);

function toolCall({ callId, name, arguments: args }: ToolCallBlock, index: number): OllamaToolCall {
  // The server takes objects only; raw text that never parsed goes along as one value.
  const values = isRecord(args) ? args : args === undefined || args === null ? {} : { unparsed: args };
  const called = Object.freeze({ index, name, arguments: values });
  return Object.freeze({ ...(callId !== "" && { id: callId }), function: called });
}

const toolMessage: (message: ToolResultMessage) => OllamaMessage = oncePerMessage(
  ({ callId, name, content }) => {
    const text = textIn(content);
    return Object.freeze({
      role: "tool",
      content: text === "" && content.some(isAttachment) ? "(attached below)" : text,
      ...(name !== undefined && { tool_name: name }),
      ...(callId !== "" && { tool_call_id: callId }),
    });
  },
);

/** The server takes images on user messages only, and tool messages must stay together. */
function resultAttachments(results: readonly ToolResultMessage[]): readonly OllamaMessage[] {
  if (results.length === 0) return [];
  const images = results.flatMap(({ callId, content }) =>
    attachmentsOf(content, `result ${callId}`).map((attachment) => attachment.content),
  );
  const names = results.map(({ name }) => name ?? "tool");
  return [{ role: "user", content: resultAttachmentsLabel(results, names), images }];
}

function isAttachment({ type }: Block): boolean {
  return type === "image" || type === "binary";
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
