import { isMessage } from "./message/guard.js";
import type { ContextItem, Message } from "./message.js";

/** What a request may carry of a context. */
export function requestView(items: readonly ContextItem[]): readonly Message[] {
  return items.filter(isMessage);
}
