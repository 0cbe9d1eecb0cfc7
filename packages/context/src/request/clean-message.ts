import { isOwned } from "../json/frozen-copy.js";
import { wellFormedJson } from "../json/well-formed-json.js";
import { blockHasContent } from "../message/content.js";
import { type Message, MessageType } from "../message.js";

/** What messages that can no longer change became, so that they are looked into once and a prefix keeps its objects. */
const known = new WeakMap<Message, Message>();

/** The message as a provider may see it: well-formed, without `display`, without blocks that say nothing. The same object when it is that already. */
export function cleanMessage(message: Message): Message {
  const before = known.get(message);
  if (before !== undefined) return before;
  if (!isOwned(message)) return strip(wellFormedJson(message));
  const clean = strip(message);
  known.set(message, clean);
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
