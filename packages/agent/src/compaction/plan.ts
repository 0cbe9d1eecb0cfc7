import {
  type Block,
  type ContextItem,
  cutPositions,
  estimateTokens,
  isMessage,
  MessageType,
} from "@ashlar/context";
import { carriedBlocks } from "./carried-blocks.js";
import { collectFiles } from "./file-lists.js";
import { type FileLists, NO_FILES, readSummaryMessage, type SummaryParts } from "./summary-message.js";
import { lastCut, startsTurn, turnStartBefore } from "./turns.js";

/** Sizes in our own estimate of tokens, uncorrected. */
export interface PlanLimits {
  /** Recent messages that stay. */
  readonly keep: number;
  /** Fewer hidden tokens are not worth a request. */
  readonly least: number;
  /** What cannot be hidden must be smaller than this, or a summary would not help. */
  readonly room: number;
  /** Of the user's words that began a turn that is cut. */
  readonly carried: number;
}

/** What a summary takes the place of, and what it is made from. */
export interface CompactionPlan {
  /** The position of the first item that stays. */
  readonly firstKept: number;
  /** The summary that is there already; it is updated. */
  readonly earlier: SummaryParts | undefined;
  /** Whole turns. */
  readonly history: readonly ContextItem[];
  /** The beginning of a turn whose end stays; empty where the cut lies between two turns. */
  readonly turn: readonly ContextItem[];
  /** The user's words that began that turn. */
  readonly request: readonly Block[];
  readonly files: FileLists;
  /** What is hidden, in our own estimate of tokens. */
  readonly hiddenTokens: number;
}

/**
 * Chooses where to cut: between a call and its result never, before what nobody answered yet, and between two turns
 * unless the last turn is too long for that. Undefined when there is nothing to gain.
 */
export function planCompaction(
  items: readonly ContextItem[],
  limits: PlanLimits,
): CompactionPlan | undefined {
  const tails = tailTokens(items);
  const cuts = cutPositions(items);
  const head = cuts[0] ?? 0;
  const last = lastCut(items);
  const candidates = cuts.filter((cut) => cut > head && cut <= last);
  if ((tails[head] ?? 0) <= limits.keep) return undefined;
  const cut = chooseCut(items, candidates, tails, limits.keep);
  if (cut === undefined) return undefined;
  const kept = (tails[0] ?? 0) - (tails[head] ?? 0) + (tails[cut] ?? 0);
  if (kept >= limits.room) return undefined;
  const hidden = items.slice(head, cut);
  const earlierAt = hidden.findLastIndex((item) => readSummaryMessage(item) !== undefined);
  const fresh = hidden.filter((item, index) => index !== earlierAt && isMessage(item));
  if (fresh.length === 0 || estimateTokens(fresh) < limits.least) return undefined;
  const earlierItem = hidden[earlierAt];
  const earlier = earlierItem === undefined ? undefined : readSummaryMessage(earlierItem);
  const parts = splitTurn({ items, cut, fresh, earlier, carried: limits.carried });
  if (parts.history.length + parts.turn.length === 0) return undefined;
  return {
    firstKept: cut,
    earlier,
    ...parts,
    files: collectFiles(fresh, earlier?.files ?? NO_FILES),
    hiddenTokens: (tails[head] ?? 0) - (tails[cut] ?? 0),
  };
}

/** Tokens of the items from each position on. */
function tailTokens(items: readonly ContextItem[]): readonly number[] {
  const tails = new Array<number>(items.length + 1).fill(0);
  for (let position = items.length - 1; position >= 0; position -= 1) {
    tails[position] = (tails[position + 1] ?? 0) + estimateTokens(items.slice(position, position + 1));
  }
  return tails;
}

/** The earliest cut whose tail is small enough; a later one between two turns if that keeps half as much at least. */
function chooseCut(
  items: readonly ContextItem[],
  candidates: readonly number[],
  tails: readonly number[],
  keep: number,
): number | undefined {
  const tailOf = (cut: number): number => tails[cut] ?? 0;
  const small = candidates.filter((cut) => tailOf(cut) <= keep);
  const [earliest] = small;
  if (earliest === undefined) return candidates.at(-1);
  const between = small.find((cut) => startsTurn(items, cut));
  return between !== undefined && tailOf(between) * 2 >= Math.min(keep, tailOf(earliest))
    ? between
    : earliest;
}

interface Cut {
  readonly items: readonly ContextItem[];
  readonly cut: number;
  /** What is hidden, without the earlier summary and the records. */
  readonly fresh: readonly ContextItem[];
  readonly earlier: SummaryParts | undefined;
  readonly carried: number;
}

function splitTurn({
  items,
  cut,
  fresh,
  earlier,
  carried,
}: Cut): Pick<CompactionPlan, "history" | "turn" | "request"> {
  if (startsTurn(items, cut)) return { history: fresh, turn: [], request: [] };
  const start = turnStartBefore(items, cut);
  const first = start === undefined ? undefined : items[start];
  const from = first === undefined ? -1 : fresh.indexOf(first);
  // The turn began before the earlier summary, which holds its beginning and carries the user's words.
  if (from < 0) return { history: [], turn: fresh, request: earlier?.request ?? [] };
  const turn = fresh.slice(from);
  const history = fresh.slice(0, from);
  const work = turn.findIndex((item) => !isUserMessage(item));
  const words = work < 0 ? turn : turn.slice(0, work);
  const blocks = words.filter(isMessage).flatMap(({ content }) => content);
  const request = carriedBlocks(blocks, carried);
  // Words that ride along whole need no summary beside them.
  return work < 0 && request === blocks ? { history, turn: [], request } : { history, turn, request };
}

function isUserMessage(item: ContextItem): boolean {
  return isMessage(item) && item.type === MessageType.user;
}
