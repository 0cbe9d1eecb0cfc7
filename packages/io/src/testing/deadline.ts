import { setTimeout } from "node:timers/promises";

/** What `work` resolves with, or undefined when that takes longer than `ms`. */
export async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, setTimeout(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
