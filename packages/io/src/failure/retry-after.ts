import { MAX_TIMER_MS } from "../clock.js";

const SECONDS = /^\d+(\.\d+)?$/;
/** The three forms of an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT` and its two ancestors. */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}(,? \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT| [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;
const PHRASE =
  /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(ms|milliseconds?|s|seconds?|m|minutes?)\b/i;

/**
 * Milliseconds a `Retry-After` value asks for: seconds, or an HTTP date (a past one is 0).
 * Bounded by the longest timer; undefined for anything else.
 */
export function parseRetryAfter(value: string | undefined, epochMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (SECONDS.test(text)) return bounded(Number(text) * 1000);
  if (!HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : bounded(Math.max(0, at - epochMs));
}

/** The wait a failed response asks for, in milliseconds: its headers, else a phrase such as "try again in 2 s". */
export function retryAfterOf(
  headers: Readonly<Record<string, string>>,
  message: string,
  epochMs: number,
): number | undefined {
  const exact = headers["retry-after-ms"]?.trim() ?? "";
  if (SECONDS.test(exact)) return bounded(Number(exact));
  return parseRetryAfter(headers["retry-after"], epochMs) ?? phrasedWait(message);
}

/** The wait that a text names, in milliseconds. */
export function phrasedWait(message: string): number | undefined {
  const [, amount, unit] = PHRASE.exec(message) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const word = unit.toLowerCase();
  const scale = word.startsWith("ms") || word.startsWith("milli") ? 1 : word.startsWith("m") ? 60_000 : 1000;
  return bounded(Number(amount) * scale);
}

function bounded(ms: number): number {
  return Math.min(Math.ceil(ms), MAX_TIMER_MS);
}
