import { type Block, type ContextItem, type Message, MessageType } from "../message.js";
import { isMessage } from "./guard.js";

/** What an edit keeps of an item: known fields only, so that provider ids and caches of the old content go. Records stay whole. */
export function rebuildItem(item: ContextItem): ContextItem {
  return isMessage(item) ? rebuildMessage(item) : item;
}

function rebuildMessage(message: Message): Message {
  const content = message.content.map(rebuildBlock);
  switch (message.type) {
    case MessageType.toolResult: {
      const { type, callId, name, error } = message;
      return {
        type,
        callId,
        ...(name === undefined ? {} : { name }),
        content,
        ...(error === undefined ? {} : { error }),
      };
    }
    case MessageType.assistant:
      return {
        type: message.type,
        content,
        ...(message.draft === undefined ? {} : { draft: message.draft }),
      };
    default:
      return { type: message.type, content };
  }
}

function rebuildBlock(block: Block): Block {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "binary":
      return rebuildAttachment(block);
    default:
      return block;
  }
}

const ATTACHMENT_FIELDS = ["type", "content", "mimetype", "mime"];

/** `mime` is another spelling of `mimetype` that readers accept. */
function rebuildAttachment<Attachment extends Block & { readonly type: "image" | "binary" }>(
  block: Attachment,
): Attachment {
  const fields = block.type === "binary" ? [...ATTACHMENT_FIELDS, "filename"] : ATTACHMENT_FIELDS;
  const kept = Object.entries(block).filter(([key]) => fields.includes(key));
  // Only fields that the kind does not name were dropped.
  return Object.fromEntries(kept) as Attachment;
}
