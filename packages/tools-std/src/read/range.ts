import type { ReadRange } from "./read-input.js";

/** First and last position, from 1, both included; empty when `last < first`. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** True when the range cannot be told without the total. */
export function countsFromEnd({ from, to }: ReadRange): boolean {
  return (from ?? 1) < 0 || (to ?? 1) < 0;
}

/** The positions a range means in something that has `total` of them. */
export function spanOf({ from = 1, to = -1 }: ReadRange, total: number): Span {
  const place = (position: number): number => (position < 0 ? total + 1 + position : position);
  return { first: Math.max(1, place(from)), last: Math.min(total, place(to)) };
}

/** The same where the total is not known; `to` is open when absent. */
export function openSpan({ from = 1, to = Number.POSITIVE_INFINITY }: ReadRange): Span {
  return { first: Math.max(1, from), last: to };
}
