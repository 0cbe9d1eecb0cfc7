import { frozenCopy, isOwned } from "../json/frozen-copy.js";
import { wellFormedJson } from "../json/well-formed-json.js";
import { blockHasContent } from "../message/content.js";
import { oncePerMessage } from "../message/once-per-message.js";
import { type Message, MessageType } from "../message.js";

/** The message as a provider may see it: well-formed, without `display`, without blocks that say nothing. The same object when it is that already. */
export const cleanMessage: (message: Message) => Message = oncePerMessage((message) =>
  isOwned(message) ? frozenCopy(strip(message), "message") : strip(wellFormedJson(message)),
);

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
