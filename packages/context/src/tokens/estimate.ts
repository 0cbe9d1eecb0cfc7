import { isMessage } from "../message/guard.js";
import { oncePerMessage } from "../message/once-per-message.js";
import type { Block, ContextItem } from "../message.js";
import { utf8Length } from "./utf8-length.js";

/** UTF-8 bytes of one token. On the safe side for prose and code; other scripts have more bytes a character and fewer a token. */
const BYTES_PER_TOKEN = 3.5;
/** Role, separators and the like, around each message. */
const MESSAGE_TOKENS = 4;
const TOOL_CALL_TOKENS = 8;
/** An attachment's size says little of its cost: models scale images and count tiles. */
const ATTACHMENT_TOKENS = 1200;

/** Tokens that messages and tool descriptors cost, from their bytes; records cost nothing. Calibrate it with `TokenCalibration`. */
export function estimateTokens(items: readonly ContextItem[], tools: readonly unknown[] = []): number {
  let tokens = 0;
  for (const item of items) if (isMessage(item)) tokens += messageTokens(item);
  for (const tool of tools) tokens += TOOL_CALL_TOKENS + textTokens(jsonText(tool));
  return tokens;
}

const messageTokens = oncePerMessage(({ content }) => {
  let tokens = MESSAGE_TOKENS;
  for (const block of content) tokens += blockTokens(block);
  return tokens;
});

function blockTokens(block: Block): number {
  switch (block.type) {
    case "text":
      return textTokens(block.text);
    case "image":
    case "binary":
      return ATTACHMENT_TOKENS;
    case "toolCall":
      return TOOL_CALL_TOKENS + textTokens(block.name) + textTokens(jsonText(block.arguments));
    default:
      return textTokens(jsonText(block));
  }
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function textTokens(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
}
