import { isObject } from "@ashlar/context";
import type { RequestErrorKind } from "@ashlar/context/provider";
import { TestError } from "./test-error.js";

export interface ThinkingStep {
  readonly thinking: string;
}
export interface TextStep {
  /** Parts are joined; a quote gives what a tool really returned. */
  readonly text: string | readonly TextPart[];
}
export type TextPart = string | ResultQuote;
/** One line of the latest result of a tool, without the number that tools put before it. */
export interface ResultQuote {
  /** The tool's name. */
  readonly result: string;
  /** Counts the lines that are not blank, from 1; negative from the end. Default 1. */
  readonly line?: number;
}
export interface ToolCallStep {
  /** `arguments` defaults to `{}`; without `callId` the host makes one up. */
  readonly toolCall: { readonly name: string; readonly arguments?: unknown; readonly callId?: string };
}
/** Ends the turn with a failure. */
export interface ErrorStep {
  readonly error: string | ScriptedFailure;
}
/** Milliseconds of silence. */
export interface DelayStep {
  readonly delay: number;
}

export interface ScriptedFailure {
  readonly message: string;
  /** Default `provider`. */
  readonly kind?: RequestErrorKind;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly retryable?: boolean;
}

export type Step = ThinkingStep | TextStep | ToolCallStep | ErrorStep | DelayStep;
/** One answer of the model. */
export type Turn = readonly Step[];
/** One turn a request; the last one repeats. Never empty. */
export type Script = readonly Turn[];

const KINDS: readonly string[] = ["auth", "network", "provider", "malformed", "cancelled"];
const MAX_DELAY_MS = 3_600_000;

/** Reads an authored script: an array of turns, or its JSON text. A turn is a step or an array of steps. */
export function parseScript(source: unknown, at: string): Script {
  const value = typeof source === "string" ? parseJson(source, at) : source;
  if (!Array.isArray(value) || value.length === 0) {
    throw mistake(at, "an array of at least one turn", value);
  }
  return value.map((turn, index) => parseTurn(turn, `${at}[${index}]`));
}

function parseTurn(turn: unknown, at: string): Turn {
  if (!Array.isArray(turn)) return [parseStep(turn, at)];
  if (turn.length === 0) throw mistake(at, "a turn of at least one step", turn);
  return turn.map((step, index) => parseStep(step, `${at}[${index}]`));
}

function parseStep(step: unknown, at: string): Step {
  const wanted = 'a step with one key, such as {"text": "hello"}';
  if (!isObject(step)) throw mistake(at, wanted, step);
  const [key, ...others] = Object.keys(step);
  if (key === undefined || others.length > 0) throw mistake(at, wanted, step);
  const value = step[key];
  const place = `${at}.${key}`;
  switch (key) {
    case "thinking":
      return { thinking: text(value, place) };
    case "text":
      return { text: Array.isArray(value) ? parseParts(value, place) : text(value, place) };
    case "toolCall":
      return { toolCall: parseToolCall(value, place) };
    case "error":
      return { error: typeof value === "string" ? value : parseFailure(value, place) };
    case "delay":
      return { delay: milliseconds(value, place) };
    default:
      throw mistake(place, "one of thinking, text, toolCall, error, delay", key);
  }
}

function parseParts(parts: readonly unknown[], at: string): readonly TextPart[] {
  if (parts.length === 0) throw mistake(at, "text, or an array of at least one part", parts);
  return parts.map((part, index) => (typeof part === "string" ? part : parseQuote(part, `${at}[${index}]`)));
}

function parseQuote(value: unknown, at: string): ResultQuote {
  if (!isObject(value)) throw mistake(at, 'text, or a quote such as {"result": "read", "line": 1}', value);
  const { result, line } = value;
  if (line === 0) throw mistake(`${at}.line`, "a whole number that is not 0", line);
  return {
    result: text(result, `${at}.result`),
    ...(line !== undefined && { line: wholeNumber(line, `${at}.line`) }),
  };
}

function parseToolCall(value: unknown, at: string): ToolCallStep["toolCall"] {
  if (!isObject(value)) throw mistake(at, 'an object such as {"name": "read", "arguments": {}}', value);
  const name = text(value.name, `${at}.name`);
  const callId = value.callId === undefined ? undefined : text(value.callId, `${at}.callId`);
  return { name, arguments: value.arguments ?? {}, ...(callId !== undefined && { callId }) };
}

function parseFailure(value: unknown, at: string): ScriptedFailure {
  if (!isObject(value)) throw mistake(at, 'a message, or an object such as {"message": "busy"}', value);
  const { kind, status, retryAfterMs, retryable } = value;
  if (kind !== undefined && !isKind(kind)) throw mistake(`${at}.kind`, `one of ${KINDS.join(", ")}`, kind);
  if (retryable !== undefined && typeof retryable !== "boolean") {
    throw mistake(`${at}.retryable`, "true or false", retryable);
  }
  return {
    message: text(value.message, `${at}.message`),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status: wholeNumber(status, `${at}.status`) }),
    ...(retryAfterMs !== undefined && { retryAfterMs: milliseconds(retryAfterMs, `${at}.retryAfterMs`) }),
    ...(retryable !== undefined && { retryable }),
  };
}

function isKind(value: unknown): value is RequestErrorKind {
  return typeof value === "string" && KINDS.includes(value);
}

function text(value: unknown, at: string): string {
  if (typeof value !== "string") throw mistake(at, "text", value);
  return value;
}

function wholeNumber(value: unknown, at: string): number {
  if (typeof value !== "number" || !Number.isInteger(value)) throw mistake(at, "a whole number", value);
  return value;
}

function milliseconds(value: unknown, at: string): number {
  if (typeof value !== "number" || !(value >= 0 && value <= MAX_DELAY_MS)) {
    throw mistake(at, `milliseconds from 0 to ${MAX_DELAY_MS}`, value);
  }
  return value;
}

function parseJson(source: string, at: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TestError("malformed", `${at}: the script is not JSON: ${reason}`, { at }, { cause });
  }
}

function mistake(at: string, wanted: string, found: unknown): TestError<"malformed"> {
  const shown = JSON.stringify(found)?.slice(0, 80) ?? String(found);
  return new TestError("malformed", `${at}: wanted ${wanted}, found ${shown}`, { at });
}
