import { isOwned } from "../json/frozen-copy.js";
import { wellFormedJson } from "../json/well-formed-json.js";
import { blockHasContent } from "../message/content.js";
import { type Message, MessageType } from "../message.js";

/** Cleaned copies of messages that can no longer change, so that a request prefix keeps its objects. */
const cleaned = new WeakMap<Message, Message>();

/** The message as a provider may see it: well-formed, without `display`, without blocks that say nothing. The same object when it is that already. */
export function cleanMessage(message: Message): Message {
  if (!isOwned(message)) return strip(wellFormedJson(message));
  const before = cleaned.get(message);
  if (before !== undefined) return before;
  const clean = strip(message);
  if (clean !== message) cleaned.set(message, clean);
  return clean;
}

function strip(message: Message): Message {
  const shown = message.display === undefined ? message : withoutDisplay(message);
  // An empty result still answers its call.
  if (shown.type === MessageType.toolResult || shown.content.every(blockHasContent)) return shown;
  return { ...shown, content: shown.content.filter(blockHasContent) };
}

function withoutDisplay(message: Message): Message {
  const { display: _, ...kept } = message;
  return kept;
}
