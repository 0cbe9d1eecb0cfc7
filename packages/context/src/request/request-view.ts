import type { ContextItem, Message } from "../message.js";
import { mendedView } from "./mended-view.js";
import { orderlyView } from "./orderly-view.js";

/**
 * What one request carries of a context: every call has exactly one result directly behind it, every string is well-formed,
 * records, empty messages and `display` are gone. Pure and linear; a message that needs no change is the same object.
 */
export function requestView(items: readonly ContextItem[]): readonly Message[] {
  return orderlyView(items) ?? mendedView(items);
}
