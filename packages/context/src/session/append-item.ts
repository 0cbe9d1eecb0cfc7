import { malformed } from "../context-error.js";
import type { AppendOptions } from "../context-options.js";
import { isRecord } from "../message/guard.js";
import { isMergeable } from "../message/merge.js";
import { isEmptyMessage } from "../message/stand-apart.js";
import type { ContextItem } from "../message.js";
import type { Session } from "./session.js";

/** Grows the session by an item, which may merge into the last one. Throws kind `malformed`, with the place `at`, for an empty message. */
export function appendItem(
  session: Session,
  item: ContextItem,
  at: string,
  options: AppendOptions = {},
): void {
  if (isRecord(item)) {
    session.grow({ kind: "record", record: item });
    return;
  }
  const { items } = session.shown;
  const fits = isMergeable(items.at(-1), item);
  const mayMerge = options.merge !== false && !session.isSealed(items.length - 1);
  if (isEmptyMessage(item)) {
    if (mayMerge && fits) return;
    throw emptyMessage(at);
  }
  session.grow(
    fits && !mayMerge ? { kind: "message", message: item, merge: false } : { kind: "message", message: item },
  );
}

export function emptyMessage(at: string): Error {
  return malformed(`${at}.content`, "expected a block with a payload; an empty message says nothing");
}
