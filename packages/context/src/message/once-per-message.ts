import { isOwned } from "../json/frozen-copy.js";
import type { Message } from "../message.js";

/**
 * Makes `work` run once for each message that can no longer change, such as those of a `Context`: its result is kept
 * as long as the message. For any other message it runs each time, and what it throws is never kept.
 */
export function oncePerMessage<M extends Message, Result extends NonNullable<unknown>>(
  work: (message: M) => Result,
): (message: M) => Result {
  const known = new WeakMap<M, Result>();
  return (message) => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const result = work(message);
    if (isOwned(message)) known.set(message, result);
    return result;
  };
}
