import { type ContextItem, type Message, MessageType } from "../message.js";
import { messageHasContent } from "./content.js";
import { isMessage } from "./guard.js";
import { foldMessage, isMergeable } from "./merge.js";

/** A tool that had nothing to say, and a response that failed or was cancelled before its first word, are messages all the same. */
export function isEmptyMessage(message: Message): boolean {
  if (message.type === MessageType.toolResult) return false;
  if (message.error !== undefined || message.incomplete === true) return false;
  return !messageHasContent(message);
}

/** True when a conversation that grows by these items one by one shows just these: none is empty, folds or merges. */
export function standApart(items: readonly ContextItem[]): boolean {
  return items.every((item, index) => {
    if (!isMessage(item)) return true;
    return !isEmptyMessage(item) && foldMessage(item) === item && !isMergeable(items[index - 1], item);
  });
}
