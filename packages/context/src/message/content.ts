import type { AssistantMessage, Block, Message, ToolCallBlock } from "../message.js";

/** A block with a payload. An empty text, an empty thinking without extras and an empty image have none. */
export function blockHasContent(block: Block): boolean {
  switch (block.type) {
    case "text":
      return block.text !== "";
    case "thinking":
      return block.text !== "" || Object.keys(block).some((key) => key !== "type" && key !== "text");
    case "image":
    case "binary":
      return block.content !== "";
    case "toolCall":
      return true;
    default:
      return Object.keys(block).length > 1;
  }
}

export function messageHasContent(message: Message): boolean {
  return message.content.some(blockHasContent);
}

/** The text blocks of a message, joined by a blank line. */
export function contentText(message: { readonly content: readonly Block[] }): string {
  return message.content
    .flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : []))
    .join("\n\n");
}

/** The tool calls of a message, in order, those that the provider executed included. */
export function toolCallsOf(message: Message): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === "toolCall");
}

/** The error text that a failed response left on its message. */
export function messageErrorText(message: AssistantMessage): string | undefined {
  return typeof message.error === "object" ? message.error.message : message.error;
}
