import type { ContextPolicy } from "./context-guard.js";

/** Part of the window by which a context grows before compaction is tried once more. */
const NEXT_TRY = 0.1;

/** Tokens of a request at which the conversation is compacted first; infinite when nothing is compacted unasked. */
export function compactionThreshold(policy: ContextPolicy, window: number | undefined): number {
  if (policy.autocompact === 0) return Number.POSITIVE_INFINITY;
  const part = Math.floor((window ?? policy.assumedWindow) * policy.autocompact);
  return Math.min(part, policy.autocompactMax);
}

/** Tokens below which a conversation that was just looked at is not looked at again. */
export function nextCompactionAt(tokens: number, policy: ContextPolicy, window: number | undefined): number {
  return tokens + Math.max(1, Math.floor((window ?? policy.assumedWindow) * NEXT_TRY));
}
