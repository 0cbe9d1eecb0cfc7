import { frozenCopy } from "../json/frozen-copy.js";
import { jsonEqual } from "../json/json-equal.js";
import { type Block, type ContextItem, type Message, MessageType } from "../message.js";
import { isMessage } from "./guard.js";

/** The message with neighbouring plain text (or thinking) blocks folded into one; the same object when there are none. */
export function foldMessage(message: Message): Message {
  const content = foldBlocks(message.content);
  return content === message.content ? message : frozenCopy({ ...message, content }, "message");
}

/** Same type, no tool results, and nothing but the content differs. */
export function isMergeable(before: ContextItem | undefined, message: Message): before is Message {
  if (!isMessage(before) || before.type !== message.type || message.type === MessageType.toolResult)
    return false;
  return jsonEqual({ ...before, content: null }, { ...message, content: null });
}

export function mergeMessages(before: Message, message: Message): Message {
  const content = foldBlocks([...before.content, ...message.content]);
  return frozenCopy({ ...before, content }, "message");
}

function foldBlocks(blocks: readonly Block[]): readonly Block[] {
  const folded: Block[] = [];
  for (const block of blocks) {
    const last = folded.at(-1);
    if (last !== undefined && isPlain(last) && isPlain(block) && last.type === block.type) {
      folded[folded.length - 1] = { type: last.type, text: joined(last.text, block.text) };
    } else folded.push(block);
  }
  return folded.length === blocks.length ? blocks : folded;
}

interface PlainBlock {
  readonly type: "text" | "thinking";
  readonly text: string;
}

function isPlain(block: Block): block is Block & PlainBlock {
  return (block.type === "text" || block.type === "thinking") && Object.keys(block).length === 2;
}

function joined(first: string, second: string): string {
  const needsGap = first !== "" && second !== "" && !first.endsWith("\n");
  return needsGap ? `${first}\n\n${second}` : first + second;
}
