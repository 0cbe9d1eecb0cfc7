import { nearestName } from "@ashlar/context";
import { THINKING_LEVELS, type ThinkingLevel } from "@ashlar/io";
import { isObject } from "../loop/json-object.js";

/**
 * The members of a hook's reply; empty for undefined and null. Throws for anything else, so that a typo is not taken for
 * silence.
 */
export function readReply(reply: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (reply === undefined || reply === null) return {};
  if (!isObject(reply) || Array.isArray(reply))
    throw new TypeError(`its reply must be an object with ${known.join(" or ")}, or undefined`);
  const odd = Object.keys(reply).find((key) => !known.includes(key));
  if (odd === undefined) return reply;
  const near = nearestName(odd, known) ?? known.join(" or ");
  throw new TypeError(`its reply has ${JSON.stringify(odd)}, which means nothing here; write ${near}`);
}

/** Throws for what is no level. */
export function readThinking(value: unknown): { readonly thinking?: ThinkingLevel } {
  if (value === undefined) return {};
  const thinking = THINKING_LEVELS.find((level) => level === value);
  if (thinking === undefined) throw new TypeError(`thinking must be one of ${THINKING_LEVELS.join(", ")}`);
  return { thinking };
}
