import { isMessage } from "../message/guard.js";
import { type ContextItem, type Message, MessageType } from "../message.js";
import { cleanMessage } from "./clean-message.js";

/**
 * The view of a context in which every call is followed by its one result, in call order: what a live loop writes.
 * Undefined for any other. One pass that makes nothing but the list.
 */
export function orderlyView(items: readonly ContextItem[]): readonly Message[] | undefined {
  const messages: Message[] = [];
  /** Calls whose results come next. */
  let open: string[] = [];
  let answered = 0;
  for (const item of items) {
    if (!isMessage(item)) continue;
    const message = cleanMessage(item);
    if (message.type === MessageType.toolResult) {
      if (open[answered] !== message.callId) return undefined;
      answered += 1;
      messages.push(message);
      continue;
    }
    if (answered < open.length) return undefined;
    const calls = callIds(message);
    if (calls === undefined) return undefined;
    open = calls;
    answered = 0;
    if (isSaid(message, calls)) messages.push(message);
  }
  return answered < open.length ? undefined : messages;
}

const NO_CALLS: string[] = [];

/** Undefined when ids are empty or repeated. */
function callIds(message: Message): string[] | undefined {
  let ids = NO_CALLS;
  if (message.type !== MessageType.assistant) return ids;
  for (const block of message.content) {
    if (block.type !== "toolCall") continue;
    if (block.callId === "") return undefined;
    if (ids === NO_CALLS) ids = [block.callId];
    else ids.push(block.callId);
  }
  return ids.length > 1 && new Set(ids).size < ids.length ? undefined : ids;
}

/** Does the message say anything? Thinking alone is no turn: strict servers refuse an assistant message with neither text nor calls. */
export function isSaid(message: Message, calls: readonly unknown[]): boolean {
  switch (message.type) {
    case MessageType.system:
    case MessageType.user:
      return message.content.length > 0;
    case MessageType.assistant:
      return calls.length > 0 || message.content.some((block) => block.type === "text");
    default:
      // A type that no provider knows cannot be sent.
      return false;
  }
}
