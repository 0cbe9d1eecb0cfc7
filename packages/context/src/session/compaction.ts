import { toolCallsOf } from "../message/content.js";
import { isMessage, isRecord } from "../message/guard.js";
import { type ContextItem, MessageType } from "../message.js";

/**
 * The positions before which a conversation may be cut, rising, from behind the system messages at the head up to the
 * length: no call is parted from its result, and calls that still wait for one stay behind every cut.
 */
export function cutPositions(items: readonly ContextItem[]): readonly number[] {
  const results = lastResults(items);
  const newest = items.findLastIndex((item) => isMessage(item) && item.type !== MessageType.toolResult);
  const cuts: number[] = [];
  let blockedUntil = 0;
  for (let position = headLength(items); position <= items.length; position += 1) {
    if (position >= blockedUntil) cuts.push(position);
    const item = items[position];
    if (!isMessage(item) || item.type !== MessageType.assistant) continue;
    for (const { callId, executed } of toolCallsOf(item)) {
      const waits = position === newest && executed !== true ? Number.POSITIVE_INFINITY : 0;
      blockedUntil = Math.max(blockedUntil, (results.get(callId) ?? waits) + 1);
    }
  }
  return cuts;
}

/** Does the newest record of this type stand for what a tool keeps in the conversation? */
export function isToolState(item: ContextItem): boolean {
  return isRecord(item) && item.type.startsWith("tool:");
}

/** Of the positions from `start` up to `end`, which a compaction hides: those of tool records that nothing newer replaces. */
export function liveToolState(items: readonly ContextItem[], start: number, end: number): readonly number[] {
  const newest = new Map<ContextItem["type"], number>();
  items.forEach((item, position) => {
    if (isToolState(item)) newest.set(item.type, position);
  });
  return [...newest.values()].filter((position) => position >= start && position < end);
}

/** How many system messages stand before everything else; a compaction leaves them where they are. */
export function headLength(items: readonly ContextItem[]): number {
  const first = items.findIndex((item) => !isMessage(item) || item.type !== MessageType.system);
  return first < 0 ? items.length : first;
}

/** Where each call's last result stands. */
function lastResults(items: readonly ContextItem[]): ReadonlyMap<string, number> {
  const results = new Map<string, number>();
  items.forEach((item, position) => {
    if (isMessage(item) && item.type === MessageType.toolResult) results.set(item.callId, position);
  });
  return results;
}
