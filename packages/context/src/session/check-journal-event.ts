import { malformed } from "../context-error.js";
import { isObject, nameOfValue } from "../json.js";
import type { JournalEvent } from "./journal.js";

type Check = (value: unknown, at: string) => void;

const text: Check = (value, at) => {
  if (typeof value !== "string" || value === "") throw malformed(at, "expected a string that is not empty");
};
const count: Check = (value, at) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw malformed(at, `expected a whole number, got ${String(value)}`);
};
const amount: Check = (value, at) => {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
    throw malformed(at, `expected a number of at least 0, got ${nameOfValue(value)}`);
};
const optional =
  (check: Check): Check =>
  (value, at) => {
    if (value !== undefined) check(value, at);
  };
const oneOf =
  (...words: readonly string[]): Check =>
  (value, at) => {
    if (typeof value !== "string" || !words.includes(value))
      throw malformed(at, `expected one of ${words.join(", ")}, got ${JSON.stringify(value) ?? "nothing"}`);
  };
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (!isObject(value)) throw malformed(at, `expected an object, got ${nameOfValue(value)}`);
    for (const [key, check] of Object.entries(checks)) check(value[key], `${at}.${key}`);
  };

const USAGE = fields({
  inputTokens: amount,
  outputTokens: amount,
  cachedInputTokens: optional(amount),
  cost: optional(amount),
  source: oneOf("provider", "estimate"),
});

const EVENTS: Readonly<Record<JournalEvent["type"], Check>> = {
  operation_started: fields({ operation: text, purpose: oneOf("run", "compaction", "summary") }),
  operation_finished: fields({ operation: text, outcome: oneOf("completed", "cancelled", "failed") }),
  step_attempt: fields({ operation: text, step: count, attempt: count }),
  tool_started: fields({ operation: text, callId: text, name: text, replay: oneOf("never", "safe") }),
  usage: fields({
    cause: oneOf("assistant", "compaction", "summary", "tool", "adjustment"),
    usage: USAGE,
    model: optional(text),
  }),
};

/** Throws kind `malformed` for what is no journal event. */
export function checkJournalEvent(value: unknown, at: string): JournalEvent {
  const type = isObject(value) ? value.type : undefined;
  const check = Object.entries(EVENTS).find(([known]) => known === type)?.[1];
  if (check === undefined) throw malformed(`${at}.type`, `expected one of ${Object.keys(EVENTS).join(", ")}`);
  check(value, at);
  // Every member that the event's type names was checked above.
  return value as JournalEvent;
}
