import type { BudgetStop } from "./budget.js";

export interface ContextPolicy {
  /** Fraction of the window that no request may pass. */
  readonly cap: number;
  /** Fraction of the window by which one turn may grow the context. */
  readonly turn: number;
  /** Tokens: the window that counts when nobody knows the real one. */
  readonly assumedWindow: number;
  /** Fraction of the window at which the conversation is compacted; 0: never unasked. */
  readonly autocompact: number;
  /** Tokens at which it is compacted whatever the window; infinite: no such limit. */
  readonly autocompactMax: number;
}

/** The one message that takes the most room. */
export interface LargestMessage {
  readonly position: number;
  readonly role: "system" | "user" | "assistant" | "tool result";
  readonly tokens: number;
}

export interface ContextFill {
  /** Tokens of the request to come. */
  readonly tokens: number;
  /** Tokens when the turn began. */
  readonly turnStart: number;
  /** Tokens; undefined when nobody knows. */
  readonly window: number | undefined;
  readonly largest?: LargestMessage | undefined;
}

/** Stops a run whose context outgrows the window, before the provider has to. */
export function guardContext(fill: ContextFill, policy: ContextPolicy): BudgetStop | undefined {
  const window = fill.window ?? policy.assumedWindow;
  const origin = fill.window === undefined ? "an assumed window" : "the window";
  const cap = Math.floor(window * policy.cap);
  if (fill.tokens >= cap) {
    const cause = largestText(fill.largest, cap);
    const message = `The context holds about ${fill.tokens} tokens, and ${cap} of ${origin} of ${window} are allowed (context.cap).${cause === undefined ? "" : ` ${cause}`} ${remedy(policy)}Start a new session, or remove messages.`;
    return { rule: "context", used: fill.tokens, limit: cap, message };
  }
  const growth = fill.tokens - fill.turnStart;
  const turn = Math.floor(window * policy.turn);
  if (growth >= turn) {
    const message = `This turn added about ${growth} tokens, and ${turn} of ${origin} of ${window} are allowed (context.turn). ${remedy(policy)}Send a message to go on.`;
    return { rule: "turn", used: growth, limit: turn, message };
  }
  return undefined;
}

/** Names the message that is larger than `room` tokens by itself; undefined when none is. `scale`: real tokens for one of ours. */
export function largestText(
  largest: LargestMessage | undefined,
  room: number,
  scale = 1,
): string | undefined {
  if (largest === undefined || largest.tokens * scale < room) return undefined;
  const { position, role } = largest;
  const tokens = Math.ceil(largest.tokens * scale);
  return `The ${role} message at position ${position} takes about ${tokens} tokens by itself: shorten or remove it.`;
}

function remedy({ autocompact }: ContextPolicy): string {
  return autocompact === 0 ? "Compaction is off: set context.autocompact, or compact by hand. " : "";
}
