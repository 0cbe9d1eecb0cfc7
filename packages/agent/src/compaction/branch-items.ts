import { type ContextItem, isMessage, MessageType, type PathEntry } from "@ashlar/context";
import { boundText } from "../loop/bounded-text.js";
import { conversationPieces } from "./conversation-text.js";
import { CHARACTERS_PER_TOKEN } from "./sizes.js";
import { textTokens } from "./text-chunks.js";

/** A summary of what is older still finds a place while less than this part of the room is taken. */
const SQUEEZE = 0.9;
const LEFT_OUT = "(What came before is left out.)";

/** The entries of a branch, oldest first, that are not on the way to another place. */
export function leftEntries(
  branch: readonly PathEntry[],
  target: readonly PathEntry[],
): readonly PathEntry[] {
  const shared = new Set(target.map(({ id }) => id));
  return branch.filter(({ id }) => !shared.has(id));
}

/** What the entries show; what a compaction has hidden is in its summary. */
export function branchItems(entries: readonly PathEntry[]): readonly ContextItem[] {
  const items = new Map<string, ContextItem>();
  for (const entry of entries) {
    switch (entry.kind) {
      case "message":
      case "summary":
        items.set(entry.id, entry.message);
        break;
      case "edit":
        replace(items, entry.targets, entry.id, entry.item);
        break;
      case "remove":
        for (const target of entry.targets) items.delete(target);
        break;
      case "compaction":
        hideBefore(items, entry.firstKept, entry.id, entry.summary);
        break;
      default:
    }
  }
  return [...items.values()];
}

/** The newest messages that fit `limit` tokens as labelled text, oldest first; tool results are left out. */
export function branchMaterial(items: readonly ContextItem[], limit: number): readonly string[] {
  const told = items.filter((item) => isMessage(item) && item.type !== MessageType.toolResult);
  const pieces: string[] = [];
  let size = 0;
  for (const item of told.toReversed()) {
    const [piece] = conversationPieces([item]);
    if (piece === undefined) continue;
    const tokens = textTokens(piece) + 1;
    const isSqueezed = isSummary(item) && size < limit * SQUEEZE && size + tokens <= limit / SQUEEZE;
    if (size + tokens > limit && !isSqueezed) {
      pieces.push(...(pieces.length === 0 ? [boundText(piece, limit * CHARACTERS_PER_TOKEN)] : []), LEFT_OUT);
      break;
    }
    pieces.push(piece);
    size += tokens;
  }
  return pieces.reverse();
}

function isSummary(item: ContextItem): boolean {
  return isMessage(item) && ("compaction" in item || "branch" in item);
}

function replace(
  items: Map<string, ContextItem>,
  targets: readonly string[],
  id: string,
  item: ContextItem,
): void {
  if (!targets.some((target) => items.has(target))) return;
  const kept = [...items];
  items.clear();
  let isPlaced = false;
  for (const [key, value] of kept) {
    if (!targets.includes(key)) items.set(key, value);
    else if (!isPlaced) items.set(id, item);
    isPlaced ||= targets.includes(key);
  }
}

function hideBefore(
  items: Map<string, ContextItem>,
  firstKept: string | null,
  id: string,
  summary: ContextItem,
): void {
  const kept = [...items];
  const from = firstKept === null ? kept.length : kept.findIndex(([key]) => key === firstKept);
  items.clear();
  items.set(id, summary);
  for (const [key, value] of kept.slice(Math.max(0, from))) items.set(key, value);
}
