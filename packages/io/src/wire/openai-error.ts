import { type ErrorEvent, isObject, type RequestErrorKind } from "@ashlar/context";
import type { ClassifiedError } from "@ashlar/context/provider";
import { kindOfStatus } from "../failure/classify.js";
import { contextOverflowOf } from "../failure/context-overflow.js";
import { codeOf, messageOf } from "../failure/error-body.js";
import { phrasedWait } from "../failure/retry-after.js";

interface Verdict {
  readonly kind: RequestErrorKind;
  readonly status?: number;
  readonly retryable?: boolean;
}

/** Inside a stream the status line is already sent, so servers name the failure by a word. */
const VERDICTS: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ["invalid_api_key", { kind: "auth" }],
  ["authentication_error", { kind: "auth" }],
  ["permission_error", { kind: "auth" }],
  ["rate_limit_exceeded", { kind: "provider", status: 429 }],
  ["rate_limit_error", { kind: "provider", status: 429 }],
  ["insufficient_quota", { kind: "provider", status: 429, retryable: false }],
  ["invalid_request_error", { kind: "provider", retryable: false }],
  ["invalid_prompt", { kind: "provider", retryable: false }],
]);

/** The terminal event for an error object that came inside a stream. */
export function errorEvent(error: unknown): ErrorEvent {
  const message = messageOf(error) ?? `The server reported an error without a text: ${JSON.stringify(error)}`;
  const code = codeOf(error);
  const contextOverflow = contextOverflowOf(message, code);
  const retryAfterMs = phrasedWait(message);
  return {
    type: "error",
    error: message,
    ...verdictOf(error, code),
    ...(contextOverflow !== undefined && { contextOverflow: { ...contextOverflow, ...statedCounts(error) } }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Adds to the shared verdict the token counts that llama.cpp states beside its message. */
export function classifyOpenAIError(
  error: unknown,
  base: (error: unknown) => ClassifiedError,
): ClassifiedError {
  const verdict = base(error);
  const body = isObject(error) && isObject(error.details) ? error.details.body : undefined;
  if (verdict.contextOverflow === undefined || !isObject(body)) return verdict;
  return { ...verdict, contextOverflow: { ...verdict.contextOverflow, ...statedCounts(body.error ?? body) } };
}

function verdictOf(error: unknown, code: string | undefined): Verdict {
  const fields = isObject(error) ? error : {};
  const words = [fields.code, fields.type, code].filter((word) => typeof word === "string");
  const named = words.map((word) => VERDICTS.get(word)).find((verdict) => verdict !== undefined);
  const status = [fields.status, fields.code].map(httpStatus).find((number) => number !== undefined);
  if (named !== undefined) return status === undefined ? named : { status, ...named };
  return status === undefined ? { kind: "provider" } : { kind: kindOfStatus(status), status };
}

function httpStatus(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

function statedCounts(error: unknown): { readonly window?: number; readonly needed?: number } {
  if (!isObject(error)) return {};
  const { n_ctx: window, n_prompt_tokens: needed } = error;
  return { ...(typeof window === "number" && { window }), ...(typeof needed === "number" && { needed }) };
}
