import {
  type Block,
  type ContextItem,
  isMessage,
  type Message,
  MessageType,
  type ToolResultMessage,
} from "@ashlar/context";
import { boundText } from "../loop/bounded-text.js";
import { jsonText } from "../loop/json-text.js";

/** Characters of one tool result, and of one call's arguments, that a summary is made from. */
const MAX_RESULT_CHARACTERS = 2_000;
const MAX_ARGUMENT_CHARACTERS = 1_000;

/** The conversation as labelled text, one piece for each message that says something. Thinking is left out. */
export function conversationPieces(items: readonly ContextItem[]): readonly string[] {
  return items
    .filter(isMessage)
    .map(messagePiece)
    .filter((piece) => piece !== "");
}

function messagePiece(message: Message): string {
  if (message.type === MessageType.toolResult) return resultPiece(message);
  const body = message.content.map(blockText).filter((text) => text !== "");
  const failure = message.type === MessageType.assistant && message.error !== undefined ? " (failed)" : "";
  return body.length === 0 ? "" : `[${roleOf(message)}${failure}]\n${body.join("\n")}`;
}

function resultPiece({ name, error, content }: ToolResultMessage): string {
  const label = `[${error === true ? "failed result" : "result"}${name === undefined ? "" : ` of ${name}`}]`;
  return `${label}\n${boundText(content.map(blockText).join("\n"), MAX_RESULT_CHARACTERS)}`;
}

function roleOf({ type }: Message): string {
  if (type === MessageType.system) return "system";
  return type === MessageType.user ? "user" : "assistant";
}

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return "";
    case "toolCall": {
      const { name, arguments: args } = block;
      const text = typeof args === "string" ? args : jsonText(args);
      return `[calls ${name}] ${boundText(text, MAX_ARGUMENT_CHARACTERS)}`;
    }
    case "binary":
      return `(a file${block.filename === undefined ? "" : ` ${block.filename}`} that is not shown)`;
    default:
      return "(an attachment that is not shown)";
  }
}
