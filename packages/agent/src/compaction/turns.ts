import { type ContextItem, isMessage, MessageType } from "@ashlar/context";
import { localCalls } from "../loop/answer.js";
import { readSummaryMessage } from "./summary-message.js";

/** Does a turn begin at this position, or has the last one come to its end there? */
export function startsTurn(items: readonly ContextItem[], position: number): boolean {
  const next = items.slice(position).find(isMessage);
  if (next !== undefined) return isUser(next);
  return lastCut(items) === items.length;
}

/** Where the turn began that goes on over this position; undefined when a summary stands in its place. */
export function turnStartBefore(items: readonly ContextItem[], position: number): number | undefined {
  let start = position - 1;
  while (start >= 0 && !isUser(items[start])) start -= 1;
  while (start > 0 && isUser(items[start - 1])) start -= 1;
  return start < 0 ? undefined : start;
}

/**
 * The last position before which something may be hidden: what no response followed yet, user messages and the results
 * of the last calls with them, stays.
 */
export function lastCut(items: readonly ContextItem[]): number {
  const answer = items.findLastIndex((item) => isMessage(item) && item.type === MessageType.assistant);
  const last = items[answer];
  if (isMessage(last) && last.type === MessageType.assistant && localCalls(last).length > 0) return answer;
  const waiting = items.findIndex((item, position) => position > answer && isUser(item));
  return waiting < 0 ? items.length : waiting;
}

/** A message of the user's own. */
function isUser(item: ContextItem | undefined): boolean {
  if (item === undefined || !isMessage(item) || item.type !== MessageType.user) return false;
  return readSummaryMessage(item) === undefined;
}
