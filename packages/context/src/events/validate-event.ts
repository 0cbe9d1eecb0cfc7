import { malformed } from "../context-error.js";
import { EVENTS_VERSION, type ResponseEvent } from "../events.js";
import { isObject, nameOfValue } from "../json.js";
import { validateBlock } from "../message/validate.js";

const ERROR_KINDS: readonly unknown[] = ["auth", "network", "provider", "malformed", "cancelled"];
const DONE_REASONS: readonly unknown[] = ["stop", "length", "toolCalls", "refusal", "other"];

/** Checks one response event and returns it. Throws kind `malformed`; `at` names the field, such as `event.contentIndex`. */
export function validateEvent(value: unknown, at = "event"): ResponseEvent {
  if (!isObject(value)) throw malformed(at, `expected an object, got ${nameOfValue(value)}`);
  checkFields(value, at);
  // Every member that the event of this type names was checked above.
  return value as object as ResponseEvent;
}

type Fields = Record<string, unknown>;

function checkFields(event: Fields, at: string): void {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
      indexAt(event, at);
      stringAt(event.text, `${at}.text`);
      return;
    case "tool_call_delta":
      indexAt(event, at);
      stringAt(event.arguments, `${at}.arguments`);
      return;
    case "text_start":
    case "thinking_start":
    case "tool_call_end":
      indexAt(event, at);
      extraAt(event, at);
      return;
    case "text_end":
    case "thinking_end":
      indexAt(event, at);
      if (event.text !== undefined) stringAt(event.text, `${at}.text`);
      extraAt(event, at);
      return;
    case "tool_call_start":
      indexAt(event, at);
      checkCallStart(event, at);
      return;
    case "tool_call_result":
      indexAt(event, at);
      blocksAt(event.content, `${at}.content`);
      booleanAt(event.error, `${at}.error`);
      return;
    case "start":
      if (event.version !== EVENTS_VERSION)
        throw malformed(`${at}.version`, `expected ${EVENTS_VERSION}, got ${String(event.version)}`);
      if (event.model !== undefined) stringAt(event.model, `${at}.model`);
      return;
    case "done":
      oneOf(event.doneReason, DONE_REASONS, `${at}.doneReason`);
      return;
    case "error":
      stringAt(event.error, `${at}.error`);
      oneOf(event.kind, ERROR_KINDS, `${at}.kind`);
      return;
    default:
      throw malformed(
        `${at}.type`,
        `no response event has the type ${JSON.stringify(event.type) ?? "undefined"}`,
      );
  }
}

function checkCallStart(event: Fields, at: string): void {
  stringAt(event.callId, `${at}.callId`);
  stringAt(event.name, `${at}.name`);
  booleanAt(event.executed, `${at}.executed`);
  extraAt(event, at);
}

function indexAt(event: Fields, at: string): void {
  const index = event.contentIndex;
  if (typeof index === "number" && Number.isSafeInteger(index) && index >= 0) return;
  throw malformed(
    `${at}.contentIndex`,
    `expected an integer from 0, got ${typeof index === "number" ? index : nameOfValue(index)}`,
  );
}

function extraAt(event: Fields, at: string): void {
  if (event.extra !== undefined && !isObject(event.extra)) {
    throw malformed(`${at}.extra`, `expected an object, got ${nameOfValue(event.extra)}`);
  }
}

function blocksAt(value: unknown, at: string): void {
  if (!Array.isArray(value)) throw malformed(at, `expected an array of blocks, got ${nameOfValue(value)}`);
  for (let index = 0; index < value.length; index += 1) validateBlock(value[index], `${at}[${index}]`);
}

function stringAt(value: unknown, at: string): void {
  if (typeof value !== "string") throw malformed(at, `expected a string, got ${nameOfValue(value)}`);
}

function booleanAt(value: unknown, at: string): void {
  if (value !== undefined && typeof value !== "boolean") {
    throw malformed(at, `expected true or false, got ${nameOfValue(value)}`);
  }
}

function oneOf(value: unknown, allowed: readonly unknown[], at: string): void {
  if (value !== undefined && !allowed.includes(value))
    throw malformed(at, `expected one of ${allowed.join(", ")}`);
}
