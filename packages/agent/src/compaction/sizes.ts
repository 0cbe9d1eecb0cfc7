/** Characters of one token, on the safe side. */
export const CHARACTERS_PER_TOKEN = 3;

/** Tokens that a compaction works with. */
export interface CompactionSizes {
  /** Recent messages that stay as they are. */
  readonly keep: number;
  /** Fewer hidden tokens are not worth a request: one that nobody asked for, and one that was asked for. */
  readonly least: number;
  readonly leastAsked: number;
  /** What one summary request may hold; the rest of the window is for the answer. */
  readonly request: number;
  /** A summary. */
  readonly summary: number;
  /** The user's own words that a turn that is cut carries along. */
  readonly carried: number;
}

const LARGEST_TAIL = 20_000;
const LARGEST_SUMMARY = 4_096;
const LARGEST_REQUEST = 400_000;
const LEAST = 200;

export function compactionSizes(window: number): CompactionSizes {
  return {
    keep: Math.min(LARGEST_TAIL, part(window, 0.1)),
    leastAsked: LEAST,
    least: Math.max(LEAST, Math.min(LARGEST_TAIL, part(window, 0.03))),
    request: Math.min(LARGEST_REQUEST, part(window, 0.7)),
    summary: Math.max(128, Math.min(LARGEST_SUMMARY, part(window, 0.08))),
    carried: part(window, 0.05),
  };
}

function part(window: number, fraction: number): number {
  return Math.floor(window * fraction);
}
